import java.util.List;
import java.util.Optional;

/** Each line with code says which changes the whole set of classic operators makes there. */
class Classic {
    private int n;
    private long total;

    int boundary(int a) {
        if (a < 3) // conditionals_boundary negate_conditionals remove_conditionals_order_if remove_conditionals_order_else inline_constants
            return a; // primitive_returns
        return -a; // invert_negatives primitive_returns
    }

    int equality(Object a) {
        if (a == null) // negate_conditionals remove_conditionals_equal_if remove_conditionals_equal_else
            return 0; // inline_constants
        return 1; // primitive_returns inline_constants
    }

    int loop(int a) {
        a++; // increments remove_increments
        a -= 5; // increments remove_increments
        return a; // primitive_returns
    }

    long math(long a, int b) {
        return a * b; // math primitive_returns
    }

    double chained(double a, int b) {
        return a % 2.0 + (b >>> 1); // math inline_constants math inline_constants math primitive_returns
    }

    void calls(String text) {
        fill(total, text); // void_calls
        String.valueOf(text); // non_void_calls
        text.trim(); // non_void_calls naked_receiver
        new StringBuilder(text); // constructor_calls
    }

    void fill(long first, String second) {
        total = first; // member_variables
    }

    boolean flag(int a) {
        return a == n; // negate_conditionals remove_conditionals_equal_if remove_conditionals_equal_else inline_constants inline_constants true_returns false_returns
    }

    Boolean boxed(String a) {
        return Boolean.valueOf(a); // non_void_calls true_returns false_returns
    }

    boolean yes() {
        return true; // false_returns inline_constants
    }

    String text(Object a) {
        return a.toString(); // non_void_calls empty_returns
    }

    List<String> list(List<String> a) {
        return a; // empty_returns
    }

    Optional<String> optional(Optional<String> a) {
        return a; // empty_returns
    }

    Long number(Long a) {
        return a; // empty_returns
    }

    int[] array(int[] a) {
        return a; // null_returns
    }

    Object none() {
        return null; // nothing
    }

    @interface NotNull { }
    @interface DoNotMutate { String value() default ""; }

    @NotNull Object some(Object a) {
        return a; // nothing
    }

    @DoNotMutate("math") int partly(int a) {
        return a + n; // primitive_returns
    }

    void choose(int a) {
        switch (a) { // switch remove_switch
            case 1:
                n = a; // member_variables
                break; // nothing
            case 2:
            default:
                n = -a; // invert_negatives member_variables
        }
    }

    void sparse(int a) {
        switch (a) { // switch remove_switch remove_switch
            case 1:
                n = a; // member_variables
                break; // nothing
            case 1000:
                n = -a; // invert_negatives member_variables
        }
    }

    Integer zero() {
        return 0; // inline_constants non_void_calls
    }

    Integer zeroOr(boolean a) {
        return a ? 1 : 0; // negate_conditionals remove_conditionals_equal_if remove_conditionals_equal_else inline_constants inline_constants non_void_calls empty_returns
    }

    Boolean no() {
        return Boolean.FALSE; // true_returns
    }

    List<String> nil() {
        return java.util.Collections.emptyList(); // non_void_calls
    }

    Object nested(String a) {
        return new StringBuilder(new String(a)); // constructor_calls constructor_calls null_returns
    }

    @Override
    public String toString() {
        return "n" + n; // empty_returns
    }
}

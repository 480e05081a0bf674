package jury.boot;

/** The short text that tells invocations of one test method apart, such as {@code (int)[2]}. */
final class Variants {
    private Variants() {}

    /** {@code int, java.lang.String} becomes {@code (int, String)}; no types, no parentheses. */
    static String simpleNames(String types) {
        if (types.trim().isEmpty()) {
            return "";
        }
        StringBuilder names = new StringBuilder("(");
        for (String type : types.split(",")) {
            names.append(names.length() == 1 ? "" : ", ").append(simpleName(type.trim()));
        }
        return names.append(')').toString();
    }

    /** The numbers of a unique id's segments, outermost first: {@code [1][2]}. */
    static String invocationNumbers(String uniqueId) {
        StringBuilder numbers = new StringBuilder();
        int from = uniqueId.indexOf(":#");
        while (from >= 0) {
            int end = from + 2;
            while (end < uniqueId.length() && Character.isDigit(uniqueId.charAt(end))) {
                end++;
            }
            if (end > from + 2 && end < uniqueId.length() && uniqueId.charAt(end) == ']') {
                numbers.append('[').append(uniqueId, from + 2, end).append(']');
            }
            from = uniqueId.indexOf(":#", end);
        }
        return numbers.toString();
    }

    /** {@code [0: x]} of {@code adds[0: x]}, as JUnit 4 names a parameterised test. */
    static String bracketsAfter(String method, String name) {
        boolean bracketed =
                !method.isEmpty() && name.startsWith(method + "[") && name.endsWith("]");
        return bracketed ? name.substring(method.length()) : "";
    }

    /** Reads binary names as {@link Class#getName} gives them, arrays included. */
    private static String simpleName(String type) {
        int dimensions = type.lastIndexOf('[') + 1;
        if (dimensions == 0 || type.endsWith("]")) {
            return afterLast(type);
        }
        String element = type.substring(dimensions);
        StringBuilder name = new StringBuilder();
        if (element.startsWith("L")) {
            name.append(afterLast(element.substring(1, element.length() - 1)));
        } else {
            name.append(primitive(element));
        }
        for (int i = 0; i < dimensions; i++) {
            name.append("[]");
        }
        return name.toString();
    }

    private static String afterLast(String type) {
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    private static String primitive(String descriptor) {
        switch (descriptor) {
            case "Z":
                return "boolean";
            case "B":
                return "byte";
            case "C":
                return "char";
            case "S":
                return "short";
            case "I":
                return "int";
            case "J":
                return "long";
            case "F":
                return "float";
            case "D":
                return "double";
            default:
                return descriptor;
        }
    }
}

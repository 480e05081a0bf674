package org.testng.annotations;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface Test {
    String[] groups() default {};

    String[] dependsOnGroups() default {};

    String[] dependsOnMethods() default {};
}

module sample.module {
    requires transitive java.logging;
    requires static java.sql;

    exports sample;
    opens sample to java.logging;

    uses java.util.function.Supplier;
    provides Runnable with sample.Service;
}

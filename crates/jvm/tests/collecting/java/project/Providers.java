package project;

import java.util.ServiceLoader;

/** Looked for once, and kept. */
class Providers {
    static final ServiceLoader<Runnable> ALL = ServiceLoader.load(Runnable.class);
}

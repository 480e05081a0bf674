package jury.boot;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** A node of a platform test tree. */
final class Node implements TestDescriptor {
    private final String segment;
    private final Node parent;
    private final Object source;
    private final boolean test;
    private final Set<Node> children = new LinkedHashSet<>();

    private Node(String segment, Node parent, Object source, boolean test) {
        this.segment = segment;
        this.parent = parent;
        this.source = source;
        this.test = test;
        if (parent != null) {
            parent.children.add(this);
        }
    }

    static Node engine() {
        return new Node("[engine:junit-jupiter]", null, null, false);
    }

    Node testClass(String name) {
        return new Node("/[class:" + name + "]", this, new ClassSource(name), false);
    }

    Node template(String className, String method, String types) {
        Object source = new MethodSource(className, method, types);
        return new Node("/[test-template:" + method + "]", this, source, false);
    }

    Node test(String className, String method) {
        Object source = new MethodSource(className, method, "");
        return new Node("/[method:" + method + "()]", this, source, true);
    }

    /** An invocation without a source of its own, as of a dynamic test. */
    Node invocation(int number) {
        return new Node("/[invocation:#" + number + "]", this, null, true);
    }

    @Override
    public Object getUniqueId() {
        return (parent == null ? "" : parent.getUniqueId()) + segment;
    }

    @Override
    public String getDisplayName() {
        return segment;
    }

    @Override
    public Optional<TestDescriptor> getParent() {
        return Optional.ofNullable(parent);
    }

    @Override
    public Optional<Object> getSource() {
        return Optional.ofNullable(source);
    }

    @Override
    public boolean isTest() {
        return test;
    }

    @Override
    public Set<TestDescriptor> getDescendants() {
        Set<TestDescriptor> descendants = new LinkedHashSet<>();
        for (Node child : children) {
            descendants.add(child);
            descendants.addAll(child.getDescendants());
        }
        return descendants;
    }
}

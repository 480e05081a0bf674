package siege;

class b {
    // expect: 0 killed, 1 killed
    int a(int a) {
        return a + 5;
    }
}

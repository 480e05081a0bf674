/** Grows apples; how it grows them is nobody's business. */
module orchard {
    exports orchard;
}

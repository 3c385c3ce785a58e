/* unsharp, line 12 */
/* stays: a declaration between the loops: declare it in front of the scop */

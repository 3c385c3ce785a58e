/* jacobi_2d, line 13 */
/* stays: a preprocessor line or pragma stands between the loops: take it out of the scop */

/* gesummv, line 11 */
/* stays: a preprocessor line or pragma stands between the loops: take it out of the scop */

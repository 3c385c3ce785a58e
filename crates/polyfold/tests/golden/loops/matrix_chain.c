/* matrix_chain, line 10 */
/* stays: data decides whether this statement runs: write the condition into the statement: `x = c ? y : x;` */

/* sobel, line 8 */
/* stays: data decides whether this statement runs: write the condition into the statement: `x = c ? y : x;` */

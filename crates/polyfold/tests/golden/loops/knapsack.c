/* knapsack, line 6 */
/* stays: data decides whether this statement runs: write the condition into the statement: `x = c ? y : x;` */

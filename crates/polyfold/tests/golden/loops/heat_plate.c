/* heat_plate, line 9 */
/* stays: this macro mentions `t` by itself, or spells it, and it is a loop's counter here: write out what it stands for */

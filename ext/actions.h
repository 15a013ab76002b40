/* What a player may do, by the numbers that tables of plays hold. */
#ifndef ODDS_ACTIONS_H
#define ODDS_ACTIONS_H

enum {
    ACTION_STAND = 0,
    ACTION_HIT,
    ACTION_DOUBLE,
    ACTION_SPLIT,
    ACTION_SURRENDER,
    ACTION_INSURANCE,
    ACTION_EVEN_MONEY
};

#endif

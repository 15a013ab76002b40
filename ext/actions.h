/* What a player may do with a hand, and what else he is offered: the number of each, in the order of ties. */
#ifndef ODDS_ACTIONS_H
#define ODDS_ACTIONS_H

enum {
    ACTION_STAND,
    ACTION_HIT,
    ACTION_DOUBLE,
    ACTION_SPLIT,
    ACTION_SURRENDER,
    ACTION_INSURANCE,
    ACTION_EVEN_MONEY
};

#endif

"""The sentences about devices."""

from dpdesk.i18n import Text

_OTHER_CHANCES = "Choose another device, or parameters that this one has."


class T:
    """Sentences about devices."""

    # Use
    UNSEEN = Text("{use}, so that only you see the result.")
    CERTAIN = Text("nothing depends on chance")
    PICTURE = Text("The rule as a picture: {rules}")
    CHANCE = Text("{part} in {whole}")
    ONE_EACH = Text(
        "In a survey of several questions, each needs another person’s {fact}. "
        "Two answers by the same {fact} can disclose whether both true answers are alike."
    )

    # What is shown, in words that follow "if"
    FROM_TO = Text("{first} to {last}")
    COIN = Text("the coin shows {sides}")
    BOTH_COINS = Text("both coins show {side}")
    ALL_COINS = Text("all coins show {side}")
    SAME_SIDES = Text("the coins show the same side")
    DIFFERENT_SIDES = Text("the coins show different sides")
    AT_LEAST_ONE = Text("at least one coin shows {side}")
    HEADS = Text("the number of heads is {outcomes}")
    DIE = Text("the die shows {outcomes}")
    SUIT = Text("the suit of the card is {outcomes}")
    CARD = Text("the card is {outcomes}")
    RANK = Text("the rank of the card is {outcomes}")
    SUM = Text("the sum is {outcomes}")
    DICE = Text("the dice show {outcomes}")
    ARROW = Text("the arrow stops at {outcomes}")
    BEAD = Text("the bead is {colour}")
    BEAD_OF = Text("the bead drawn is one of {count} {colour} in {size}")
    NUMBERED_CARD = Text("the card has number {outcomes}")
    SCREEN = Text("the device shows {outcomes}")
    LAST_DIGIT = Text("the last digit is {outcomes}")
    IN_MONTH = Text("the birthday is in {month}")
    IN_MONTHS = Text("the birthday is between {first} and {last}")
    ON_DAY = Text("the birthday is on day {outcomes} of the month")

    # Innocent questions
    BORN_IN = Text("Was your {parent} born in {month}?")
    BORN_BETWEEN = Text("Was your {parent} born between {first} and {last}?")
    BORN_ON = Text("Is your {parent}'s birthday on day {outcomes} of a month?")

    # What is needed
    BAG_OF_BEADS = Text("a bag with {size} beads ({counts})")
    BAG_OF_CARDS = Text("a bag with {size} cards, numbered from 1 to {size}")
    DRAW_CARD = Text("Draw one card from the bag, read its number and put it back")
    NUMBERS = Text("a device that draws a number from 1 to {size}, all equally likely")

    # Refusals
    NO_CHANCES = Text("No device has the chances {chances}.", remedy=_OTHER_CHANCES)
    LACKS_CHANCES = Text("The device {device} lacks the chances {chances}.", remedy=_OTHER_CHANCES)
    TOO_FINE = Text("A draw has {most} numbers at most, not {size}.", remedy="Round the chances.")

    # Screens
    DRAW_NUMBER = Text(
        "Draw a whole number from 1 to {size}, each equally likely.",
        "Draw {count} whole numbers from 1 to {size}, each equally likely.",
    )
    NUMBERS_MEAN = Text("{numbers}: {label}.")
    SCREEN_LEARNS = Text("A screen that draws a number knows it, and can decode the answer.")
    KEEP_NOTHING = Text(
        "Draw in the respondent’s browser, show the result once, and store nothing."
    )
    NO_SERVER = Text("Never let the server of a platform draw, compute or store the number.")
    FIRST_DRAW = Text(
        "Ask respondents to follow the first draw: choosing a draw biases the estimate."
    )
    NEW_DRAWS = Text("A spreadsheet draws anew at every change: read once, and close unsaved.")

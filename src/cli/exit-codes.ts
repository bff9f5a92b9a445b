/** Exit codes of the command line, as env(1), timeout(1) and shells use them. */

/** What was wanted could not be done, through no fault of the program. */
export const EXIT_OURS = 125;
/** The command is there, and cannot be executed. */
export const EXIT_NOT_EXECUTABLE = 126;
/** There is no such command, or its interpreter is missing. */
export const EXIT_NOT_FOUND = 127;
/** And the number of the signal that ended the command. */
export const EXIT_SIGNAL = 128;

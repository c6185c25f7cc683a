import { testHostileArguments } from './hostile-arguments.ts';

/** Adjacent members get different values; the soak gives each member all values. */
testHostileArguments({ everyNth: 32, runs: 3 });

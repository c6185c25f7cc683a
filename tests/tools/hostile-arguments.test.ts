import { testHostileArguments } from './hostile-arguments.ts';

/** Neighbouring members are given different values; the soak gives each of them all. */
testHostileArguments({ everyNth: 3, runs: 30 });

import { testHostileArguments } from './hostile-arguments.ts';

testHostileArguments({ everyNth: 1, runs: 1_000 });

import { runTogether } from '../support/run-together.ts';

runTogether(import.meta.url);

import { rareTest } from '../../../support/rare.ts';
import { Races } from './races.ts';

rareTest('DuckdbEventStore: concurrent operations leave every answer consistent', (t) => new Races(t).run(1.5));

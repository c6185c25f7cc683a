import { installed } from '../../bench/events/engines/install.ts';
import { CHDB, chdbPath, enginesDirectory } from './engines.ts';

/* `npm run engines`: installs what the tests of ClickHouse need, once. */

await installed(enginesDirectory(), CHDB);
process.stdout.write(`${chdbPath()}\n`);

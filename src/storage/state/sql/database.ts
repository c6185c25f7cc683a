import type { Kysely, Transaction } from 'kysely';
import type { StateTables } from '../schema/types.ts';

export type StateDatabase = Kysely<StateTables>;
export type StateTransaction = Transaction<StateTables>;
/** For slow queries. */
export type StateReader = Kysely<StateTables>;

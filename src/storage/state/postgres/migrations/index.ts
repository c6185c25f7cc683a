import type { Migration } from 'kysely/migration';
import { up as leases } from './0001-leases.ts';
import { up as state } from './0002-state/index.ts';
import { up as events } from './0003-events.ts';
import { up as knowledge } from './0004-knowledge.ts';
import { up as limits } from './0005-limits.ts';
import { up as expiredEventIds } from './0006-expired-event-ids.ts';
import { up as sending } from './0007-sending.ts';
import { up as repeatedDocuments } from './0008-repeated-documents.ts';

/**
 * In the order of their names. A released migration never changes. Nodes of the former release go
 * on while a node migrates: a migration that breaks them has `-contract` at the end of its name,
 * and comes a release after the code stopped using what it removes.
 */
export const migrations: Record<string, Migration> = {
  '0001-leases': { up: leases },
  '0002-state': { up: state },
  '0003-events': { up: events },
  '0004-knowledge': { up: knowledge },
  '0005-limits': { up: limits },
  '0006-expired-event-ids': { up: expiredEventIds },
  '0007-sending': { up: sending },
  '0008-repeated-documents': { up: repeatedDocuments },
};

import { sql } from 'kysely';

/** A condition: items that nobody was handed. */
export const UNTOUCHED = sql`NOT EXISTS (SELECT 1 FROM queue_hands AS hands
  WHERE hands.number = queue_items.number AND hands.queue_id = queue_items.queue_id)`;

import { z } from 'zod';
import { pageSchema } from '../../../core/auth/schema.ts';
import { numberFromQueryString, type Page } from '../../../core/shared/paging.ts';

export const PORTAL = '/api/v1/portal';
/** What people fill in is short. */
export const MAX_BYTES = 16 * 1024;

/** `limit` and `offset` as they come in a query string. */
export const pageQuery = {
  limit: numberFromQueryString(pageSchema.shape.limit),
  offset: numberFromQueryString(pageSchema.shape.offset),
};

/** The members of a page's answer, beside the list itself. */
export const pageShape = {
  total: z.int().describe('How many there are in all.'),
  limit: z.int().describe('How many were asked for at most.'),
  offset: z.int().describe('How many were passed over.'),
};

export function pageBody<Name extends string, Item>(
  name: Name,
  { items, total }: Page<Item>,
  { limit, offset }: { limit: number; offset: number },
) {
  return { [name]: items, total, limit, offset };
}

import { z } from 'zod';
import { pageSchema } from '../../core/access/auth/schema.ts';
import type { Page } from '../../core/base/shared/paging.ts';
import { type Route, type RouteContext, route } from '../route.ts';

type PageQuery = z.output<typeof pageSchema>;

const pageShape = {
  total: z.int().describe('The total number.'),
  limit: z.int().describe('The largest number that was asked for.'),
  offset: z.int().describe('The number that was skipped.'),
};

interface PagedRoute<Query extends z.ZodType<PageQuery>>
  extends Pick<Route, 'path' | 'access' | 'tag' | 'summary' | 'description'> {
  /** `limit` and `offset` unless given. */
  query?: Query;
  page: string;
  member: [name: string, schema: z.ZodArray];
  list(context: RouteContext<unknown, z.output<Query>, unknown, unknown>): Promise<Page<unknown>>;
}

export function pagedRoute<Query extends z.ZodType<PageQuery> = typeof pageSchema>({
  query,
  page,
  member: [name, schema],
  list,
  ...definition
}: PagedRoute<Query>): Route {
  return route({
    ...definition,
    method: 'get',
    query: query ?? (pageSchema as unknown as Query),
    responses: { 200: { description: page, schema: z.object({ [name]: schema, ...pageShape }) } },
    run: async (context) => {
      const { items, total } = await list(context);
      const { limit, offset } = context.query;
      return { body: { [name]: items, total, limit, offset } };
    },
  });
}

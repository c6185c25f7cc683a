import { z } from 'zod';
import { pageQuerySchema } from '../../core/access/auth/schema.ts';
import type { Scope } from '../../core/base/shared/caller.ts';
import type { Page } from '../../core/base/shared/paging.ts';
import { type Route, type RouteContext, route } from '../route.ts';

type PageQuery = z.output<typeof pageQuerySchema>;

export const pageShape = {
  total: z.int().describe('The total number.'),
  limit: z.int().describe('The largest number that was asked for.'),
  offset: z.int().describe('The number that was skipped.'),
};

interface PagedRoute<Query extends z.ZodType<PageQuery>, Params extends z.ZodType = z.ZodType>
  extends Pick<Route, 'path' | 'access' | 'tag' | 'summary' | 'description' | 'faults'> {
  params?: Params;
  /** `limit` and `offset` unless given. */
  query?: Query;
  page: string;
  member: [name: string, schema: z.ZodArray];
  list(context: RouteContext<z.output<Params>, z.output<Query>, unknown, unknown>): Promise<Page<unknown>>;
}

export function pagedRoute<
  Query extends z.ZodType<PageQuery> = typeof pageQuerySchema,
  Params extends z.ZodType = z.ZodType,
>({ query, page, member: [name, schema], list, ...definition }: PagedRoute<Query, Params>): Route {
  return route({
    ...definition,
    method: 'get',
    query: query ?? (pageQuerySchema as unknown as Query),
    responses: { 200: { description: page, schema: z.object({ [name]: schema, ...pageShape }) } },
    run: async (context) => {
      const { items, total } = await list(context);
      const { limit, offset } = context.query;
      return { body: { [name]: items, total, limit, offset } };
    },
  });
}

interface Noun<Params extends z.ZodObject> {
  /** The path of all; one of them is below it, by the member of `params`. */
  path: string;
  params: Params;
  tag: string;
  scopes: { read: Scope; write: Scope };
  /** The name of one in answers, and with an `s` of several. */
  member: string;
  schema: z.ZodType;
  /** Members that answers of `create` and `change` have beside it: these give all members. */
  beside?: z.ZodRawShape;
  maxBytes: number;
  /** For 404. */
  missing: string;
}

/** Members that differ between routes of one kind. `answer` gives the noun. */
interface NounRoute<Params extends z.ZodType, Body extends z.ZodType>
  extends Pick<Route, 'summary' | 'description' | 'faults'> {
  answer(context: RouteContext<z.output<Params>, unknown, z.output<Body>, unknown>): Promise<unknown>;
}

interface WritingRoute<Params extends z.ZodType, Body extends z.ZodType> extends NounRoute<Params, Body> {
  body: Body;
  /** Describes the answer. */
  answered?: string;
}

type ListRoute<Query extends z.ZodType<PageQuery>> = Pick<
  PagedRoute<Query, z.ZodType>,
  'query' | 'summary' | 'description' | 'list'
>;

/** The usual routes of a noun that a tenant owns. Answers are `{success: true, <member>: ...}`. */
export function nounRoutes<Params extends z.ZodObject>(noun: Noun<Params>) {
  const { path, params, tag, scopes, member, schema, beside, maxBytes, missing } = noun;
  const read = { access: scopes.read, tag } as const;
  const write = { access: scopes.write, tag } as const;
  const one = { path: `${path}/:${Object.keys(params.shape)[0]}`, params } as const;
  const shown = z.object({ success: z.literal(true), [member]: schema });
  const saved = beside ? shown.extend(beside) : shown;
  const succeeded = (given: unknown, isWhole = false) => ({
    success: true,
    ...(isWhole ? (given as object) : { [member]: given }),
  });
  return {
    one,
    shown,
    list: <Query extends z.ZodType<PageQuery>>(definition: ListRoute<Query>) =>
      pagedRoute({
        ...read,
        ...definition,
        path,
        page: `One page of ${member}s.`,
        member: [`${member}s`, z.array(schema)],
      }),
    create: <Body extends z.ZodType>({
      body,
      answer,
      answered = `The ${member}.`,
      ...texts
    }: WritingRoute<z.ZodType, Body>) =>
      route({
        ...write,
        ...texts,
        method: 'post',
        path,
        body: { schema: body, maxBytes },
        responses: { 201: { description: answered, schema: saved } },
        answer: async (context) => succeeded(await answer(context), beside !== undefined),
      }),
    get: ({ answer, ...texts }: NounRoute<Params, z.ZodType>) =>
      route({
        ...read,
        faults: { 404: missing },
        ...texts,
        ...one,
        method: 'get',
        responses: { 200: { description: `The ${member}.`, schema: shown } },
        answer: async (context) => succeeded(await answer(context)),
      }),
    change: <Body extends z.ZodType>({
      body,
      answer,
      answered = `The changed ${member}.`,
      faults,
      ...texts
    }: WritingRoute<Params, Body>) =>
      route({
        ...write,
        ...texts,
        ...one,
        method: 'patch',
        body: { schema: body, maxBytes },
        faults: { 404: missing, ...faults },
        responses: { 200: { description: answered, schema: saved } },
        answer: async (context) => succeeded(await answer(context), beside !== undefined),
      }),
    remove: ({
      run,
      ...texts
    }: Pick<Route, 'summary' | 'description'> & {
      run(context: RouteContext<z.output<Params>, unknown, unknown, unknown>): Promise<void>;
    }) =>
      route({
        ...write,
        ...texts,
        ...one,
        method: 'delete',
        faults: { 404: missing },
        responses: { 204: { description: 'Removed.' } },
        run,
      }),
  };
}

import { z } from 'zod';
import { pictureShape } from '../../core/analytics/dashboards/pictures.ts';
import { notedCardSchema, type RenderedCard } from '../../core/analytics/dashboards/render.ts';
import {
  type CardRange,
  cardRangeShape,
  previewCardSchema,
  renderCardsSchema,
} from '../../core/analytics/dashboards/schema.ts';
import { MAX_CARD_BYTES } from '../../core/analytics/dashboards/service.ts';
import { type Noted, withNote, withNotes } from '../../core/analytics/events/questions/notes.ts';
import { errorBodyOf, errorBodySchema, HttpError } from '../errors.ts';
import { type Route, type RouteAnswer, type RouteContext, type RouteResponse, route } from '../route.ts';

// The specification has no second v1 segment in these paths.
export const CARDS = '/api/v1/runtime/observability/dashboard-cards';

const TAG = 'Dashboards';
const WAIT = { 'x-wait-for': 'Receipt of an ingest: waits up to 5 s until its events are visible.' };
const ACCEPT = { accept: '`application/json` (default), `image/svg+xml` or `image/png`.' };
const pictureQuery = z.strictObject(pictureShape);
const renderQuery = z.strictObject({ ...pictureShape, ...cardRangeShape });

const RENDERED: RouteResponse = {
  description: 'The card with its data and their basis, or a picture of it.',
  schema: notedCardSchema,
  content: {
    'image/svg+xml': z.string().describe('The card as an SVG. The viewer draws its text in its own fonts.'),
    'image/png': z.string().describe('The card as a PNG.'),
  },
};
const FAULTS = {
  406: '`Accept` names none of application/json, image/svg+xml and image/png.',
  503: 'Too many pictures are being drawn, or the events of the receipt are not visible yet; see Retry-After.',
  504: 'The query took longer than it may.',
};

const renderedOneSchema = z.union([
  notedCardSchema.extend({ id: z.string() }),
  z.object({
    id: z.string(),
    error: z.object(errorBodySchema.shape).describe('Has the members of an error body.'),
  }),
]);

export const renderingRoutes: Route[] = [
  route({
    method: 'post',
    path: `${CARDS}/preview`,
    access: 'events:read',
    tag: TAG,
    summary: 'Render a card that is not saved',
    description:
      'Renders a card for an editor and saves nothing; the id in the answer is `preview`. An invalid card is refused with the ' +
      'same messages as when it is created. A preview can query all events, so it needs the scope `events:read`, and no other.',
    query: pictureQuery,
    body: { schema: previewCardSchema, maxBytes: MAX_CARD_BYTES },
    headers: { ...ACCEPT, ...WAIT },
    faults: FAULTS,
    responses: { 200: RENDERED },
    run: (context) =>
      answered(context, (options) =>
        context.services.dashboards.preview(context.caller, context.body, 'events:read', options),
      ),
  }),
  route({
    method: 'post',
    path: `${CARDS}/render`,
    access: 'dashboards:read',
    tag: TAG,
    summary: 'Render several cards',
    description:
      'Renders up to 50 cards, in the order of `ids`. A card that fails has an `error`; the others still have their data.',
    body: { schema: renderCardsSchema, maxBytes: MAX_CARD_BYTES },
    headers: WAIT,
    responses: {
      200: {
        description: 'Each card with its data or its error.',
        schema: z.object({ cards: z.array(renderedOneSchema) }),
      },
    },
    run: async ({ services, caller, body: { ids, ...range }, header, requestId, signal }) => {
      const options = { waitFor: header('x-wait-for'), signal, range };
      const cards = await services.dashboards.renderMany(caller, ids, options);
      return {
        body: {
          cards: cards.map(({ id, ...one }) =>
            'error' in one ? { id, error: errorBodyOf(one.error, requestId) } : { id, ...bodyOf(one.rendered) },
          ),
        },
      };
    },
  }),
  route({
    method: 'get',
    path: `${CARDS}/:id/render`,
    access: 'dashboards:read',
    tag: TAG,
    summary: 'Render a card',
    description:
      'What the card shows now: as JSON, the data that the MCP tool render_dashboard_card returns; with ' +
      '`Accept: image/svg+xml` or `Accept: image/png`, a picture.',
    params: z.strictObject({ id: z.string() }),
    query: renderQuery,
    headers: { ...ACCEPT, ...WAIT },
    faults: {
      ...FAULTS,
      404: 'There is no such card.',
      422: 'The card cannot be answered any more; the message says what to change.',
    },
    responses: { 200: RENDERED },
    run: (context) => {
      const { dateFrom, dateTo, timezone } = context.query;
      const range = { dateFrom, dateTo, timezone };
      return answered(context, (options) =>
        context.services.dashboards.render(context.caller, context.params.id, 'dashboards:read', { ...options, range }),
      );
    },
  }),
];

type Rendering = (options: {
  waitFor: string | undefined;
  signal: AbortSignal;
  range?: CardRange;
}) => Promise<Noted<RenderedCard>>;

/** JSON or a picture, depending on the request's Accept. */
async function answered(
  context: Pick<
    RouteContext<unknown, z.output<typeof pictureQuery>, unknown, unknown>,
    'caller' | 'services' | 'query' | 'header' | 'preferred' | 'signal'
  >,
  render: Rendering,
): Promise<RouteAnswer> {
  const { caller, services, query, header, preferred, signal } = context;
  const type = preferred('application/json', 'image/svg+xml', 'image/png');
  if (type === null) throw new HttpError(406, 'Accept must allow application/json, image/svg+xml or image/png.');
  const rendered = await render({ waitFor: header('x-wait-for'), signal });
  if (type === 'application/json') return { body: bodyOf(rendered) };
  const { width, height, scale, theme, locale } = query;
  const options = { width, height, scale, theme, locale, tenantId: caller.tenantId };
  const shown = withNote(rendered);
  const isSvg = type === 'image/svg+xml';
  const bytes = isSvg
    ? await services.pictures.svg(shown, options, signal)
    : await services.pictures.png(shown, options, signal);
  return { headers: pictureHeaders(shown.card.title, isSvg ? 'svg' : 'png'), content: { type, bytes } };
}

function bodyOf(rendered: Noted<RenderedCard>): object {
  return { ...withNote(rendered), ...withNotes({ notes: rendered.notes }) };
}

/** A browser may open the picture as a document: the CSP lets it run and load nothing. */
function pictureHeaders(title: string, extension: string): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'content-disposition': `inline; filename="${plainName(title)}.${extension}"; filename*=UTF-8''${encodedName(title)}.${extension}`,
  };
}

function plainName(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/[^\w \-\p{M}]+/gu, '-')
    .replace(/[^\w -]/g, '')
    .trim();
  return /\w/.test(words) ? words : 'card';
}

/**
 * Encoded by RFC 8187. Replaces a leading dot, which hides a file, and direction marks, which
 * disguise the extension.
 */
function encodedName(title: string): string {
  const name = title.toWellFormed().replace(/^\.|[/\\\p{Cc}\p{Cf}]/gu, '-');
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

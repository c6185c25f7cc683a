import { z } from 'zod';
import { sharedPictureSchema, sharedTabSchema } from '../../core/analytics/dashboards/links/schema.ts';
import { type Route, type RouteContext, route } from '../route.ts';
import { frameAncestors, SHARED, SHARED_HEADERS } from '../shared-page.ts';

const OPEN = { access: 'open', tag: 'Dashboards' } as const;
const params = z.strictObject({ secret: z.string().describe('What follows the last slash of the link.') });
const FAULTS = {
  410: 'The link was revoked, has expired or never was valid; the response does not say which.',
  429: 'Too many requests of this link or address; see Retry-After.',
  503: 'Too many pictures are being drawn; see Retry-After.',
};

/** Without a login: a credential that is sent along changes nothing. */
export const sharedRoutes: Route[] = [
  route({
    method: 'get',
    path: `${SHARED}/:secret.json`,
    ...OPEN,
    summary: 'Read a shared tab',
    description:
      'The current answers of the cards of the tab. The link is the only credential. Ids, the events behind a number and names of agents are left out.',
    params,
    faults: FAULTS,
    responses: { 200: { description: 'The tab with what its cards show.', schema: sharedTabSchema } },
    run: async ({ services, params: { secret }, address, signal, setHeader }) => {
      for (const [name, value] of Object.entries(SHARED_HEADERS)) setHeader(name, value);
      const bytes = await services.sharedTabs.read(secret, { address, signal });
      return { content: { type: 'application/json; charset=utf-8', bytes }, headers: SHARED_HEADERS };
    },
  }),
  pictureRoute('svg', 'image/svg+xml'),
  pictureRoute('png', 'image/png'),
];

function pictureRoute(type: 'svg' | 'png', contentType: string): Route {
  return route({
    method: 'get',
    path: `${SHARED}/:secret.${type}`,
    ...OPEN,
    summary: `Draw a shared tab as ${type.toUpperCase()}`,
    description: 'A picture of the tab with its cards in their places. The link is the only credential.',
    params,
    query: sharedPictureSchema,
    faults: FAULTS,
    responses: {
      200: { description: 'The picture.', content: { [contentType]: z.string().describe('The tab as a picture.') } },
    },
    run: (context) => picture(context, type, contentType),
  });
}

async function picture(
  context: RouteContext<z.output<typeof params>, z.output<typeof sharedPictureSchema>, unknown, unknown>,
  type: 'svg' | 'png',
  contentType: string,
) {
  const { services, params: given, query: look, address, signal, setHeader } = context;
  const headers = {
    ...SHARED_HEADERS,
    // Pages and mails elsewhere may show it. As a document it may run and load nothing.
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; sandbox; ${frameAncestors(services.dashboardLinks.frameOrigins)}`,
  };
  for (const [name, value] of Object.entries(headers)) setHeader(name, value);
  const bytes = await services.sharedTabs.picture(given.secret, type, { look, address, signal });
  return { content: { type: contentType, bytes }, headers };
}

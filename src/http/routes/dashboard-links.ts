import { z } from 'zod';
import { linksSchema, sharedSchema, shareTabSchema } from '../../core/analytics/dashboards/links/schema.ts';
import { MAX_CARD_BYTES } from '../../core/analytics/dashboards/service.ts';
import { type Route, route } from '../route.ts';
import { SHARED } from '../shared-page.ts';
import { TABS } from './dashboards.ts';

const LINKS = `${TABS}/:id/links`;
const WRITE = { access: 'dashboards:write', tag: 'Dashboards' } as const;
const NO_TAB = 'There is no such tab.';

export const dashboardLinkRoutes: Route[] = [
  route({
    method: 'post',
    path: LINKS,
    ...WRITE,
    summary: 'Share a tab by a link',
    description:
      'Makes a secret link. It opens the tab without a login until it expires or is revoked. ' +
      'It needs `dashboards:read`, too, and is held to your limits below the tenant. Each request makes another link.',
    params: z.strictObject({ id: z.string() }),
    body: { schema: shareTabSchema, maxBytes: MAX_CARD_BYTES },
    faults: { 404: NO_TAB, 422: 'The tenant has as many links as it can.' },
    responses: { 201: { description: 'The link with its address.', schema: sharedSchema } },
    answer: async ({ services, caller, params, body, baseUrl }) => {
      const { secret, link } = await services.dashboardLinks.create(caller, params.id, body);
      return { success: true, ...link, url: `${baseUrl}${SHARED.slice(1)}/${secret}` };
    },
  }),
  route({
    method: 'get',
    path: LINKS,
    ...WRITE,
    summary: 'List the links of a tab',
    description: 'Newest first, never with their addresses. A caller with limits sees the links within them.',
    params: z.strictObject({ id: z.string() }),
    faults: { 404: NO_TAB },
    responses: { 200: { description: 'All of them, and who may frame the page.', schema: linksSchema } },
    answer: async ({ services, caller, params }) => {
      const links = await services.dashboardLinks.list(caller, params.id);
      return { success: true, total: links.length, links, frameOrigins: services.dashboardLinks.frameOrigins };
    },
  }),
  route({
    method: 'delete',
    path: `${LINKS}/:linkId`,
    ...WRITE,
    summary: 'Revoke a link',
    description: 'The link is void at once, also on pages that are open.',
    params: z.strictObject({ id: z.string(), linkId: z.string() }),
    faults: { 404: 'There is no such tab, or no such link to it.' },
    responses: { 204: { description: 'The link is revoked.' } },
    run: ({ services, caller, params }) => services.dashboardLinks.revoke(caller, params.id, params.linkId),
  }),
];

import { z } from 'zod';
import { erasedSchema, ownErasureSchema } from '../../../core/erasure.ts';
import {
  backupStatusSchema,
  backupTicketSchema,
  beginBackupSchema,
  begunBackupSchema,
} from '../../../core/operation/backup-schema.ts';
import {
  olderEventsQuerySchema,
  olderEventsSchema,
  storageSchema,
  tenantDataSchema,
} from '../../../core/operation/data.ts';
import { doctorReportSchema, systemSchema } from '../../../core/operation/system.ts';
import { type Route, route } from '../../route.ts';
import { endedSession } from '../../session-cookie.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const DATA = 'Portal: data';
const SYSTEM = 'Portal: system';
const BACKUP = `${PORTAL}/backup`;
const ADMINISTRATOR = { access: 'portal:administrator', tag: DATA } as const;
const OPERATOR = { access: 'portal:operator', tag: DATA } as const;

export const dataRoutes: Route[] = [
  route({
    method: 'get',
    path: `${PORTAL}/data`,
    ...ADMINISTRATOR,
    summary: 'Get what the tenant stores',
    description: 'Its events, and the sizes of its documents and messages.',
    responses: { 200: { description: 'The figures, as the quotas count them.', schema: tenantDataSchema } },
    answer: ({ services, caller }) => services.dataReports.ofTenant(caller),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/data/older-events`,
    ...ADMINISTRATOR,
    summary: 'Count events that a retention would remove',
    description: 'How many events of the tenant are older than so many days. Nothing is removed.',
    query: olderEventsQuerySchema,
    responses: { 200: { description: 'The number of events.', schema: olderEventsSchema } },
    answer: ({ services, caller, query }) => services.dataReports.olderEvents(caller, query),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/storage`,
    ...OPERATOR,
    summary: 'Get the sizes of the stores',
    description: 'The bytes on disk of each store, what they have, and the free space of the disk.',
    responses: { 200: { description: 'One entry for each store.', schema: storageSchema } },
    answer: ({ services, caller }) => services.dataReports.storage(caller),
  }),
  route({
    method: 'post',
    path: `${PORTAL}/erasure`,
    ...ADMINISTRATOR,
    stepUp: true,
    summary: 'Erase a thread, an end user, or the whole tenant',
    description:
      'For good. With `threadId` what concerns that conversation: its events, executions, reviews and assessments. With `userId` all ' +
      'conversations of that end user; where executions of other end users are recorded in a thread, only the executions of this one, ' +
      'with their reviews, assessments and events. With `tenant`, the name of your own tenant, everything of it, which only a SUPER_ADMIN may do: users, keys and sessions end with it. Backups made before still have it.',
    body: { schema: ownErasureSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 422: '`tenant` is not the name of your tenant.' },
    responses: {
      200: {
        description: 'What was erased. After the erasure of the tenant the session cookie is deleted.',
        schema: erasedSchema,
      },
    },
    run: async ({ services, caller, body, basePath, secure }) => {
      const { threadId, userId, erased, resumed } = await services.erasure.eraseOwn(caller, body);
      const headers: Record<string, string[]> =
        threadId === null && userId === null ? { 'set-cookie': endedSession({ basePath, secure }) } : {};
      return { status: 200, headers, body: { threadId, userId, erased, resumed } };
    },
  }),
];

export const backupRoutes: Route[] = [
  route({
    method: 'get',
    path: BACKUP,
    ...OPERATOR,
    summary: 'See how a backup gets on',
    description: 'The backup that is being made for the portal, and how the last one ended.',
    responses: { 200: { description: 'How it stands.', schema: backupStatusSchema } },
    answer: ({ services, caller }) => services.backupDownloads.status(caller),
  }),
  route({
    method: 'post',
    path: BACKUP,
    ...OPERATOR,
    stepUp: true,
    summary: 'Make a backup',
    description:
      'Copies everything, and answers at once with the address of a download: it works once, in the same session, and until three ' +
      'minutes after the copy is made. The file is that of `agent-runtime backup` with a passphrase, and has every secret of the installation.',
    body: { schema: beginBackupSchema, maxBytes: MAX_PORTAL_BYTES },
    faults: { 409: 'A backup is being made already, or the installation has no files to back up.' },
    responses: { 202: { description: 'It is being made.', schema: begunBackupSchema } },
    answer: async ({ services, caller, body, basePath }) => {
      const { ticket, name } = await services.backupDownloads.begin(caller, body);
      return { url: `${basePath}${BACKUP.slice(1)}/${ticket}`, name };
    },
  }),
  route({
    method: 'delete',
    path: BACKUP,
    ...OPERATOR,
    summary: 'Cancel the backup',
    description: 'Ends the backup that is being made, if there is one, and removes its copy.',
    responses: { 204: { description: 'None is being made any more.' } },
    run: ({ services, caller }) => services.backupDownloads.cancel(caller),
  }),
  route({
    method: 'get',
    path: `${BACKUP}/:ticket`,
    ...OPERATOR,
    once: true,
    summary: 'Download a backup',
    description:
      'Waits until the copy is made, then streams the file. A client that leaves ends the backup. A client that takes nothing for 30 seconds is disconnected.',
    params: backupTicketSchema,
    faults: { 404: 'The ticket is unknown, used, expired or of another session.' },
    responses: {
      200: {
        description: 'The file: a tar archive, compressed and sealed with age.',
        content: { 'application/octet-stream': z.string().meta({ format: 'binary' }).describe('The backup.') },
        headers: { 'content-disposition': 'The name of the file.' },
      },
    },
    run: async ({ services, caller, params, signal }) => {
      const { name, chunks } = await services.backupDownloads.take(caller, params.ticket, signal);
      return {
        headers: { 'content-disposition': `attachment; filename="${name}"` },
        stream: { contentType: 'application/octet-stream', chunks },
      };
    },
  }),
];

export const systemRoutes: Route[] = [
  route({
    method: 'get',
    path: `${PORTAL}/system`,
    access: 'portal:operator',
    tag: SYSTEM,
    summary: 'Get what runs here',
    description: 'Versions, uptime, memory, nodes, and the last warnings and errors of the log.',
    responses: { 200: { description: 'The facts.', schema: systemSchema } },
    answer: ({ services, caller }) => services.systemReports.facts(caller),
  }),
  route({
    method: 'post',
    path: `${PORTAL}/system/doctor`,
    access: 'portal:operator',
    tag: SYSTEM,
    summary: 'Check the installation',
    description:
      'Runs the checks of `agent-runtime doctor` within the server, one run at a time, for at most two minutes. Changes nothing.',
    body: { schema: z.strictObject({}), maxBytes: MAX_PORTAL_BYTES },
    faults: { 409: 'The checks are running already.', 504: 'They took longer than two minutes.' },
    responses: { 200: { description: 'One finding for each check.', schema: doctorReportSchema } },
    answer: ({ services, caller, signal }) => services.systemReports.doctor(caller, signal),
  }),
];

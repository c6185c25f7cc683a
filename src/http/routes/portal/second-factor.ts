import { z } from 'zod';
import {
  beginEnrolmentSchema,
  confirmEnrolmentSchema,
  enrolledSchema,
  enrolmentSchema,
  factorsOfUserSchema,
  recoveryCodesSchema,
  renamePasskeySchema,
  resetSchema,
  secondFactorsSchema,
  shownPasskeySchema,
  steppedUpSchema,
  stepUpOfferSchema,
  stepUpSchema,
} from '../../../core/access/second-factor/schema.ts';
import { type Route, route } from '../../route.ts';
import { byUserId, NO_USER } from '../users.ts';
import { PORTAL, siteOf } from './login-answer.ts';

/** The longest answers of authenticators have some KB. */
export const MAX_PROOF_BYTES = 32 * 1024;

const TAG = 'Portal: second factor';
const MINE = `${PORTAL}/me/second-factor`;
const STEP_UP = `${PORTAL}/me/step-up`;
const byPasskeyId = z.strictObject({ id: z.guid('must be a UUID').toLowerCase().describe('The UUID of the passkey.') });
const nothing = { schema: z.strictObject({}), maxBytes: MAX_PROOF_BYTES, optional: true } as const;
const ONLY_ONE = 'The tenant requires a second factor, and this is the only one.';
const USER = { access: 'portal:user', tag: TAG } as const;

export const secondFactorRoutes: Route[] = [
  route({
    method: 'get',
    path: MINE,
    ...USER,
    summary: 'List your second factors',
    description: 'The authenticator app, the passkeys, and how many recovery codes are left.',
    responses: { 200: { description: 'Your second factors.', schema: secondFactorsSchema } },
    answer: ({ services, caller, ...context }) => services.secondFactors.list(caller, siteOf(context)),
  }),
  route({
    method: 'post',
    path: `${MINE}/enrolment`,
    ...USER,
    stepUp: true,
    summary: 'Begin to add a factor',
    description:
      'An authenticator app (`code`) or a passkey. Nothing is stored until it is confirmed, within fifteen minutes.',
    body: { schema: beginEnrolmentSchema, maxBytes: MAX_PROOF_BYTES },
    faults: { 422: 'Passkeys do not work at the address of this request, or you have 20.' },
    responses: {
      200: { description: 'The secret for the app, or the options for the browser.', schema: enrolmentSchema },
    },
    answer: ({ services, caller, body, ...context }) =>
      services.secondFactors.beginEnrolment(caller, body.method, siteOf(context)),
  }),
  route({
    method: 'post',
    path: `${MINE}/enrolment/confirm`,
    ...USER,
    stepUp: true,
    summary: 'Confirm a factor',
    description:
      'Stores the factor that was begun in this session; an authenticator app replaces the former one. The first factor comes with ten recovery codes.',
    body: { schema: confirmEnrolmentSchema, maxBytes: MAX_PROOF_BYTES },
    faults: { 422: 'The code or the passkey does not fit, or nothing was begun.' },
    responses: { 200: { description: 'The factor is stored.', schema: enrolledSchema } },
    answer: ({ services, caller, body }) => services.secondFactors.confirmEnrolment(caller, body),
  }),
  route({
    method: 'delete',
    path: `${MINE}/totp`,
    ...USER,
    stepUp: true,
    summary: 'Remove your authenticator app',
    description: 'The codes of the app are void immediately. Without any factor, the recovery codes are void as well.',
    faults: { 404: 'You have none.', 409: ONLY_ONE },
    responses: { 204: { description: 'The factor is removed.' } },
    run: ({ services, caller }) => services.secondFactors.removeTotp(caller),
  }),
  route({
    method: 'patch',
    path: `${MINE}/passkeys/:id`,
    ...USER,
    summary: 'Rename a passkey',
    description: 'The name is for you alone, to tell your passkeys apart.',
    params: byPasskeyId,
    body: { schema: renamePasskeySchema, maxBytes: MAX_PROOF_BYTES },
    faults: { 404: 'You have no such passkey.' },
    responses: { 200: { description: 'The renamed passkey.', schema: shownPasskeySchema } },
    answer: ({ services, caller, params, body }) => services.secondFactors.renamePasskey(caller, params.id, body.name),
  }),
  route({
    method: 'delete',
    path: `${MINE}/passkeys/:id`,
    ...USER,
    stepUp: true,
    summary: 'Remove a passkey',
    description:
      'The passkey is refused from the next request on. Without any factor, the recovery codes are void as well.',
    params: byPasskeyId,
    faults: { 404: 'You have no such passkey.', 409: ONLY_ONE },
    responses: { 204: { description: 'The factor is removed.' } },
    run: ({ services, caller, params }) => services.secondFactors.removePasskey(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${MINE}/recovery-codes`,
    ...USER,
    stepUp: true,
    summary: 'Replace your recovery codes',
    description: 'Ten new codes, each of which works once. Those from before are void at once.',
    body: nothing,
    faults: { 422: 'You have no second factor.' },
    responses: { 200: { description: 'The new codes.', schema: recoveryCodesSchema } },
    answer: ({ services, caller }) => services.secondFactors.newRecoveryCodes(caller),
  }),
  route({
    method: 'post',
    path: `${STEP_UP}/options`,
    ...USER,
    summary: 'Begin a step-up',
    description: 'The second factors that you can give, and the options with which a browser asks for a passkey.',
    body: nothing,
    responses: { 200: { description: 'The methods.', schema: stepUpOfferSchema } },
    answer: ({ services, caller, ...context }) => services.stepUp.offer(caller, siteOf(context)),
  }),
  route({
    method: 'post',
    path: STEP_UP,
    ...USER,
    summary: 'Step up: give the second factor again',
    description: 'For ten minutes, this session may then make the changes that need a second factor.',
    body: { schema: stepUpSchema, maxBytes: MAX_PROOF_BYTES },
    faults: {
      422: 'The second factor is wrong, or was used already.',
      429: 'Too many requests, or too many wrong codes; see Retry-After.',
    },
    responses: { 200: { description: 'Repeat the request that needed it.', schema: steppedUpSchema } },
    answer: ({ services, caller, body }) => services.stepUp.confirm(caller, body),
  }),
  route({
    method: 'get',
    path: `${PORTAL}/users/:id/second-factor`,
    access: 'portal:administrator',
    tag: TAG,
    summary: 'Get the second factors of a user',
    description: 'Which second factors a user of the tenant has, and whether one is required of them.',
    params: byUserId,
    faults: { 404: NO_USER },
    responses: { 200: { description: 'The factors.', schema: factorsOfUserSchema } },
    answer: ({ services, caller, params }) => services.secondFactors.ofUser(caller, params.id),
  }),
  route({
    method: 'delete',
    path: `${PORTAL}/users/:id/second-factor`,
    access: 'portal:administrator',
    stepUp: true,
    tag: TAG,
    summary: 'Reset the second factor of a user',
    description:
      'Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them, and ends their sessions. ADMIN cannot reset those of a SUPER_ADMIN.',
    params: byUserId,
    faults: { 404: NO_USER },
    responses: { 200: { description: 'What was removed and ended.', schema: resetSchema } },
    answer: ({ services, caller, params }) => services.secondFactors.reset(caller, params.id),
  }),
];

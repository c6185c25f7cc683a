import { z } from 'zod';
import { loggedInSchema } from '../../../core/access/auth/schema.ts';
import {
  beginLoginEnrolmentSchema,
  confirmLoginEnrolmentSchema,
  enrolledLoginSchema,
  enrolmentSchema,
  passkeyLoginOptionsSchema,
  passkeyLoginSchema,
  secondFactorLoginSchema,
} from '../../../core/access/second-factor/schema.ts';
import { type Route, route } from '../../route.ts';
import { requireOwnPage } from '../../session-cookie.ts';
import { clientOf, LOGIN, loggedIn, NO_OWN_PAGE } from './login-answer.ts';
import { MAX_PROOF_BYTES } from './second-factor.ts';

const TAG = 'Portal: second factor';
const VOID_TICKET = 'The ticket was used, has expired or failed too often, or the user may not log in any more.';
const NO_PASSKEYS = 'Passkeys do not work at the address of this request.';
const OPEN = { access: 'open', tag: TAG } as const;

export const loginStepRoutes: Route[] = [
  route({
    method: 'post',
    path: `${LOGIN}/second-factor`,
    ...OPEN,
    summary: 'Log in: give the second factor',
    description:
      'Opens the session for which a login answered 202, with the ticket and one of `code`, `recoveryCode` and `passkey`. A code works once. ' +
      'A ticket takes five wrong ones; a user takes five wrong codes in fifteen minutes and thirty a day, with whatever tickets.',
    body: { schema: secondFactorLoginSchema, maxBytes: MAX_PROOF_BYTES },
    faults: {
      401: VOID_TICKET,
      403: NO_OWN_PAGE,
      422: 'The second factor is wrong, or was used already. The ticket stays valid for another attempt.',
      429: 'Too many wrong codes; see Retry-After.',
    },
    responses: { 200: { description: 'Logged in.', schema: loggedInSchema } },
    run: async ({ services, body, ...context }) => {
      if (body.session === 'cookie') requireOwnPage('POST', context.header);
      return loggedIn(await services.loginSteps.complete(body, clientOf(context)), body.session, context);
    },
  }),
  route({
    method: 'post',
    path: `${LOGIN}/second-factor/enrolment`,
    ...OPEN,
    summary: 'Log in: begin to add the first factor',
    description:
      'The next step of a login that answered 202 with `enrol`: the tenant requires a second factor, and the user has none.',
    body: { schema: beginLoginEnrolmentSchema, maxBytes: MAX_PROOF_BYTES },
    faults: { 401: VOID_TICKET, 422: NO_PASSKEYS },
    responses: {
      200: { description: 'The secret for the app, or the options for the browser.', schema: enrolmentSchema },
    },
    answer: ({ services, body, ...context }) =>
      services.loginSteps.beginEnrolment(body.ticket, body.method, clientOf(context).site),
  }),
  route({
    method: 'post',
    path: `${LOGIN}/second-factor/enrolment/confirm`,
    ...OPEN,
    summary: 'Log in: confirm the first factor',
    description: 'Stores the factor that was begun, answers the recovery codes and opens the session.',
    body: { schema: confirmLoginEnrolmentSchema, maxBytes: MAX_PROOF_BYTES },
    faults: {
      401: VOID_TICKET,
      403: NO_OWN_PAGE,
      409: 'The user has a second factor by now: log in again.',
      422: 'The code or the passkey does not fit, or nothing was begun.',
    },
    responses: { 200: { description: 'Logged in.', schema: enrolledLoginSchema } },
    run: async ({ services, body, ...context }) => {
      if (body.session === 'cookie') requireOwnPage('POST', context.header);
      return loggedIn(await services.loginSteps.confirmEnrolment(body, clientOf(context)), body.session, context);
    },
  }),
  route({
    method: 'post',
    path: `${LOGIN}/passkey/options`,
    ...OPEN,
    summary: 'Log in with a passkey: begin',
    description:
      'Begins a login without e-mail and password: the browser shows the passkeys that it has for this server.',
    body: { schema: z.strictObject({}), maxBytes: MAX_PROOF_BYTES, optional: true },
    faults: { 422: NO_PASSKEYS },
    responses: {
      200: { description: 'The ticket, and the options for the browser.', schema: passkeyLoginOptionsSchema },
    },
    answer: ({ services, ...context }) => services.loginSteps.passkeyOptions(clientOf(context)),
  }),
  route({
    method: 'post',
    path: `${LOGIN}/passkey`,
    ...OPEN,
    summary: 'Log in with a passkey',
    description:
      'Opens a session. The passkey must have asked for a PIN, a fingerprint or the like: it is both factors.',
    body: { schema: passkeyLoginSchema, maxBytes: MAX_PROOF_BYTES },
    faults: {
      401: 'The ticket is void, or the user of the passkey may not log in.',
      403: NO_OWN_PAGE,
      422: 'The passkey is not accepted.',
      429: 'Too many failures of this address; see Retry-After.',
    },
    responses: { 200: { description: 'Logged in.', schema: loggedInSchema } },
    run: async ({ services, body, ...context }) => {
      if (body.session === 'cookie') requireOwnPage('POST', context.header);
      return loggedIn(await services.loginSteps.loginWithPasskey(body, clientOf(context)), body.session, context);
    },
  }),
];

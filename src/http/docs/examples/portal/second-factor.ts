import type { Examples } from '../example.ts';

export const ada = {
  id: '019cae1c-a74a-78ff-8347-8ff347398ff3',
  email: 'ada@example.com',
  name: 'Ada Lima',
  role: 'ADMIN',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  language: null,
};
export const loggedInAnswer = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiQURNSU4ifQ.c2lnbmF0dXJl',
  expiresAt: '2026-03-02T21:45:26.000Z',
  user: ada,
};
const ticket = 'Zk3Vt0qQ3v5mYw8ZbH2sXc7LpRj1NfGd6TaEuWo9BiK';
const recoveryCodes = [
  ...[
    '7k2m-9xqd-4h1t-v8nc',
    'b3zr-0j6w-y5pe-2fga',
    'm1cx-8s4k-q7hd-t9vn',
    '5wpe-j2za-6rgb-x0ky',
    'h8tn-3vdc-1mqs-f4jw',
  ],
  ...[
    'c6ya-z9kp-7e2x-b5rh',
    'q0fs-w4gt-m8jn-3dvc',
    'x2hk-5b1r-p9wz-y6ea',
    't7vd-n4qm-0cjs-8gfx',
    'e5ra-6kyp-h3bz-w1tn',
  ],
];
const requestOptions = {
  rpId: 'kpi.example.com',
  challenge: 'mJ5nHk3vZb0Tq8cXwR2yLd7uFa4sGe6pOi9tBhVxKzM',
  allowCredentials: [{ id: 'q83vEjRWeJq83vEjRWeJqw', transports: ['internal'], type: 'public-key' }],
  timeout: 300_000,
  userVerification: 'preferred',
};
const credential = {
  id: 'q83vEjRWeJq83vEjRWeJqw',
  rawId: 'q83vEjRWeJq83vEjRWeJqw',
  type: 'public-key',
  clientExtensionResults: {},
};
const assertion = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDv3m1vJ0x7bq9xK5u2QmE8cM3zYw',
    userHandle: 'MDE5Y2FlMWMtYTc0YS03OGZm',
  },
};
const registration = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
    transports: ['internal'],
  },
};
const totp = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Agent%20Runtime:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Agent%20Runtime',
};
const passkey = {
  id: '019cae1d-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
  name: 'Laptop',
  host: 'kpi.example.com',
  createdAt: '2026-03-02T09:50:11.000Z',
  lastUsedAt: null,
};
const creationOptions = {
  challenge: 'p4sGe6OiJ5nHk3vZb0Tq8cXwR2yLd7uFa9tBhVxKzMm',
  rp: { name: 'Agent Runtime', id: 'kpi.example.com' },
  user: { id: 'MDE5Y2FlMWMtYTc0YS03OGZm', name: 'ada@example.com', displayName: 'Ada Lima' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
};

export const portalSecondFactorExamples: Examples = {
  postPortalLoginSecondFactor: {
    code: {
      summary: 'A code of the authenticator app',
      body: { ticket, code: '123456' },
      answer: loggedInAnswer,
    },
    recoveryCode: {
      summary: 'A recovery code, which is used up',
      body: { ticket, recoveryCode: '7k2m-9xqd-4h1t-v8nc' },
      answer: loggedInAnswer,
    },
    passkey: { summary: 'A passkey', body: { ticket, passkey: assertion }, answer: loggedInAnswer },
  },
  postPortalLoginSecondFactorEnrolment: {
    app: {
      summary: 'An authenticator app',
      body: { ticket, method: 'code' },
      answer: { totp, passkeyOptions: null },
    },
  },
  postPortalLoginSecondFactorEnrolmentConfirm: {
    app: {
      summary: 'The first code of the app',
      body: { ticket, code: '123456' },
      answer: { ...loggedInAnswer, recoveryCodes },
    },
  },
  postPortalLoginPasskeyOptions: {
    any: {
      summary: 'Any passkey of this server',
      body: {},
      answer: { ticket, passkeyOptions: { ...requestOptions, allowCredentials: [], userVerification: 'required' } },
    },
  },
  postPortalLoginPasskey: {
    ada: { summary: 'An administrator logs in', body: { ticket, passkey: assertion }, answer: loggedInAnswer },
  },
  getPortalMeSecondFactor: {
    none: {
      summary: 'A user without a second factor, at an IP address',
      answer: { required: false, totp: null, passkeys: [], recoveryCodes: 0, passkeyHost: null },
    },
  },
  postPortalMeSecondFactorEnrolment: {
    app: {
      summary: 'An authenticator app',
      body: { method: 'code' },
      answer: { totp, passkeyOptions: null },
    },
    passkey: {
      summary: 'A passkey',
      body: { method: 'passkey' },
      answer: { totp: null, passkeyOptions: creationOptions },
    },
  },
  postPortalMeSecondFactorEnrolmentConfirm: {
    app: { summary: 'The first factor', body: { code: '123456' }, answer: { recoveryCodes } },
    passkey: {
      summary: 'A further factor',
      body: { passkey: registration, name: 'Laptop' },
      answer: { recoveryCodes: null },
    },
  },
  deletePortalMeSecondFactorTotp: { app: { summary: 'The authenticator app is removed' } },
  patchPortalMeSecondFactorPasskeysId: {
    laptop: {
      summary: 'Another name',
      params: { id: passkey.id },
      body: { name: 'Laptop' },
      answer: passkey,
    },
  },
  deletePortalMeSecondFactorPasskeysId: {
    laptop: { summary: 'The passkey is removed', params: { id: passkey.id } },
  },
  postPortalMeSecondFactorRecoveryCodes: {
    anew: { summary: 'Ten new codes', body: {}, answer: { recoveryCodes } },
  },
  postPortalMeStepUpOptions: {
    none: {
      summary: 'A user without a second factor, who is never asked',
      body: {},
      answer: { methods: [], passkeyOptions: null },
    },
  },
  postPortalMeStepUp: {
    code: {
      summary: 'A code of the authenticator app',
      body: { code: '123456' },
      answer: { validUntil: '2026-03-02T10:05:26.000Z' },
    },
  },
  deletePortalUsersIdSecondFactor: {
    ana: {
      summary: 'A user who had none',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      answer: { removed: 0, ended: 0 },
    },
  },
};

/** The answer to a login that needs a second factor. */
export const secondFactorNeeded = {
  secondFactor: {
    ticket,
    expiresAt: '2026-03-02T09:50:26.000Z',
    enrol: false,
    methods: ['code', 'passkey', 'recoveryCode'],
    passkeyOptions: requestOptions,
  },
};

import type { Examples } from '../example.ts';

const PLACE = 'http://127.0.0.1:3000/api/v1/portal/login/sso/019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a/corp';

const corp = {
  id: 'corp',
  name: 'Keycloak',
  preset: 'keycloak',
  issuer: 'https://sso.example.com/realms/corp',
  clientId: 'agent-runtime',
  clientAuthentication: 'auto',
  scopes: ['openid', 'email', 'profile'],
  allowedDomains: ['example.com'],
  allowedDirectories: [],
  roleClaim: 'realm_access.roles',
  roleMapping: [
    { value: 'admins', role: 'ADMIN' },
    { value: 'staff', role: 'USER' },
  ],
  defaultRole: null,
  createUsers: true,
  linkByEmail: false,
  enabled: true,
  mcp: false,
  hasSecret: true,
  authority: 'ADMIN',
  createdAt: '2026-03-02T10:04:32.000Z',
  updatedAt: '2026-03-02T10:04:32.000Z',
  redirectUri: `${PLACE}/callback`,
  backchannelLogoutUri: `${PLACE}/backchannel-logout`,
};

export const portalIdentityProvidersExamples: Examples = {
  postPortalIdentityProviders: {
    keycloak: {
      summary: 'A realm of Keycloak, whose roles decide what people may do',
      body: {
        id: 'corp',
        name: 'Keycloak',
        preset: 'keycloak',
        issuer: 'https://sso.example.com/realms/corp',
        clientId: 'agent-runtime',
        clientSecret: 'the-client-secret',
        allowedDomains: ['example.com'],
        roleClaim: 'realm_access.roles',
        roleMapping: [
          { value: 'admins', role: 'ADMIN' },
          { value: 'staff', role: 'USER' },
        ],
        createUsers: true,
      },
      status: 201,
      answer: corp,
    },
  },
  getPortalIdentityProviders: {
    one: { summary: 'The identity providers of a tenant', answer: { identityProviders: [corp] } },
  },
  getPortalIdentityProvidersId: {
    corp: { summary: 'An identity provider', params: { id: 'corp' }, answer: corp },
  },
  getPortalLoginSso: {
    corp: {
      summary: 'The ways to log in at an installation with one tenant',
      answer: {
        providers: [
          {
            name: 'Keycloak',
            preset: 'keycloak',
            startUrl: 'api/v1/portal/login/sso/019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a/corp/start',
          },
        ],
        passwordLogin: true,
      },
    },
  },
  postPortalIdentityProvidersIdTest: {
    unreachable: {
      summary: 'A provider that cannot be reached',
      params: { id: 'corp' },
      body: {},
      answer: {
        works: false,
        checks: [
          {
            check: 'discovery',
            outcome: 'failed',
            message:
              'The host sso.example.com is not known, or not at a public address; the operator may allow others (AGENT_RUNTIME_IDENTITY_NETWORKS).',
          },
        ],
      },
    },
  },
  patchPortalIdentityProvidersId: {
    disabled: {
      summary: 'Disable an identity provider',
      params: { id: 'corp' },
      body: { enabled: false },
      answer: { ...corp, enabled: false, updatedAt: '2026-03-02T10:05:17.000Z' },
    },
  },
  deletePortalIdentityProvidersId: {
    corp: { summary: 'An identity provider that is no longer used', params: { id: 'corp' } },
  },
};

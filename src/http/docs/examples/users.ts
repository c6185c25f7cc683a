import type { Examples } from './example.ts';
import { ada, loggedInAnswer, secondFactorNeeded } from './portal/second-factor.ts';

const INVITATION = '019cae1c-b0ca-7cc6-823a-cc623a9bcc62';
const SECRET = 'qW5eRt7yUi9oPa2sDf4gHj6kLz8xCv0bNm1QwErTyUi';

const user = {
  id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62',
  email: 'ana@example.com',
  name: 'Ana Silva',
  phone: '+55 11 91234-5678',
  avatarUrl: null,
  role: 'USER',
  isActive: true,
  lastLoginAt: null,
  createdAt: '2026-03-02T10:00:20.000Z',
  updatedAt: '2026-03-02T10:00:20.000Z',
  tenantId: '019cae1c-a881-72e2-8ac0-2e2ac0ea2e2a',
  metadata: {},
  _count: { agents: 0, credentials: 0, executions: 0 },
};

export const usersExamples: Examples = {
  postPortalUsers: {
    ana: {
      summary: 'A user who may log in',
      body: {
        email: 'ana@example.com',
        name: 'Ana Silva',
        role: 'USER',
        phone: '+55 11 91234-5678',
        password: 'seven green bicycles',
      },
      status: 201,
      answer: user,
    },
  },
  getPortalUsers: {
    search: {
      summary: 'Users by a part of their name',
      query: { search: 'silva', limit: '10' },
      answer: { users: [user], total: 1, limit: 10, offset: 0 },
    },
  },
  getPortalUsersId: {
    ana: { summary: 'One user', params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' }, answer: user },
  },
  patchUsersId: {
    viewer: {
      summary: 'Another role, and no phone any more',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { role: 'VIEWER', phone: null },
      answer: { ...user, phone: null, role: 'VIEWER', updatedAt: '2026-03-02T10:01:19.000Z' },
    },
  },
  patchPortalUsersId: {
    inactive: {
      summary: 'A user who may not log in any more',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { isActive: false },
      answer: { ...user, phone: null, role: 'VIEWER', isActive: false, updatedAt: '2026-03-02T10:01:27.000Z' },
    },
  },
  putPortalUsersIdPassword: {
    ana: {
      summary: 'A new password',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      body: { password: 'nine yellow umbrellas' },
    },
  },
  deletePortalUsersIdSessions: {
    ana: {
      summary: 'A user who is not logged in',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      answer: { ended: 0 },
    },
  },
  getPortalUsersIdSessions: {
    ana: {
      summary: 'A user who is not logged in',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      answer: { sessions: [], total: 0, limit: 50, offset: 0 },
    },
  },
  deletePortalUsersIdSessionsSessionId: {
    one: {
      summary: 'One session of a user is ended',
      params: {
        id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62',
        sessionId: '019cae1c-b6e1-7c2d-9b3a-0a1b2c3d4e5f',
      },
    },
  },
  getPortalUsersIdSecondFactor: {
    ana: {
      summary: 'A user without a second factor',
      params: { id: '019cae1c-a9b8-7cc6-823a-cc623a9bcc62' },
      answer: { totp: false, passkeys: 0, required: false },
    },
  },
  postPortalInvitations: {
    bea: {
      summary: 'A link for a colleague',
      body: { email: 'bea@example.com', role: 'USER' },
      status: 201,
      answer: {
        id: INVITATION,
        email: 'bea@example.com',
        role: 'USER',
        link: `https://kpi.example.com/invitation#${SECRET}`,
        expiresAt: '2026-03-09T10:00:20.000Z',
        mailed: false,
      },
    },
  },
  getPortalInvitations: {
    open: {
      summary: 'One that is open',
      answer: {
        invitations: [
          {
            id: INVITATION,
            email: 'bea@example.com',
            role: 'USER',
            invitedBy: { id: ada.id, name: ada.name, email: ada.email },
            createdAt: '2026-03-02T10:00:20.000Z',
            expiresAt: '2026-03-09T10:00:20.000Z',
            valid: true,
          },
        ],
        mail: true,
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  postPortalInvitationsDescribe: {
    bea: {
      summary: 'What the person sees who opens the link',
      body: { secret: SECRET },
      answer: {
        email: 'bea@example.com',
        role: 'USER',
        tenant: { id: ada.tenantId, name: 'default' },
        invitedBy: { name: ada.name, email: ada.email },
        expiresAt: '2026-03-09T10:00:20.000Z',
        passwordLogin: true,
      },
    },
  },
  postPortalInvitationsAccept: {
    bea: {
      summary: 'A new user, who is logged in',
      body: { secret: SECRET, name: 'Bea Rocha', password: 'eleven orange tricycles' },
      answer: {
        ...loggedInAnswer,
        user: {
          ...ada,
          id: '019cae1c-c0de-7cc6-823a-cc623a9bcc62',
          email: 'bea@example.com',
          name: 'Bea Rocha',
          role: 'USER',
        },
      },
    },
    signOn: {
      summary: 'The tenant has identity providers alone',
      body: { secret: SECRET, name: 'Bea Rocha' },
      status: 201,
      answer: { loginUrl: 'login?tenant=default' },
    },
    secondFactor: {
      summary: 'The tenant requires a second factor',
      body: { secret: SECRET, name: 'Bea Rocha', password: 'eleven orange tricycles' },
      status: 202,
      answer: secondFactorNeeded,
    },
  },
  deletePortalInvitationsId: {
    bea: { summary: 'The link is void', params: { id: INVITATION } },
  },
  patchPortalMe: {
    portuguese: { summary: 'Pages in Portuguese', body: { language: 'pt' } },
  },
  postPortalMePassword: {
    changed: {
      summary: 'A new password of your own',
      body: { currentPassword: 'correct horse battery staple', password: 'four purple typewriters' },
    },
  },
};

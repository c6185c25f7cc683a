import type { Examples } from '../example.ts';

export const portalSettingsExamples: Examples = {
  getPortalSettings: {
    asTheyWere: {
      summary: 'A tenant that keeps its events for ever',
      status: 200,
      answer: { timezone: 'UTC', retentionDays: null, secondFactor: 'optional', passwordLogin: true },
    },
  },
  patchPortalSettings: {
    saoPaulo: {
      summary: 'Another time zone, and two years of events',
      body: { timezone: 'America/Sao_Paulo', retentionDays: 730 },
      status: 200,
      answer: { timezone: 'America/Sao_Paulo', retentionDays: 730, secondFactor: 'optional', passwordLogin: true },
    },
  },
};

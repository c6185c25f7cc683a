import { EVENTS } from '../app.ts';
import { chat } from '../chat.ts';
import { type Desk, ingested } from '../knowledge.ts';

const PLANS = ['free', 'pro', 'team'];
const EVENTS_THERE = 300;

/** A tenant with little data that asks small things, each of which must succeed whatever others do. */
export class QuietTenant {
  private readonly desk: Desk;
  private uploads = 0;

  constructor(desk: Desk) {
    this.desk = desk;
  }

  /** What a user of this tenant does, by name. Each rejects unless the answer is right. */
  readonly requests = {
    question: () => this.question(),
    ingest: () => this.ingest(),
    upload: () => this.upload(),
    chat: () => this.chat(),
  };

  async prepare(): Promise<void> {
    const events = Array.from({ length: EVENTS_THERE }, (_, n) => ({
      eventName: 'ticket_resolved',
      properties: { plan: PLANS[n % PLANS.length], minutes: n % 60 },
    }));
    const { receipt } = await this.post(EVENTS, { events }, 202);
    await this.question(receipt);
    await this.upload();
  }

  /** Tickets per plan. */
  private async question(receipt?: string): Promise<void> {
    const question = {
      ...{ eventName: 'ticket_resolved', mode: 'aggregate', groupBy: 'plan' },
      filters: [{ propertyKey: 'minutes', operator: 'gt', value: -Math.random() }],
    };
    const { rows } = await this.post(`${EVENTS}/query`, question, 200, receipt);
    if (rows.length !== PLANS.length) throw new Error(`the question was answered ${JSON.stringify(rows)}`);
  }

  private async ingest(): Promise<void> {
    await this.post(EVENTS, { events: [{ eventName: 'ticket_opened', properties: { plan: 'pro' } }] }, 202);
  }

  /** A file of a line, until it is found. */
  private async upload(): Promise<void> {
    const name = `note-${this.uploads++}.md`;
    await ingested(this.desk, { name, content: `# Note\n\n${name}` }, { vectorStore: 'notes' });
  }

  /** A short answer of the provider `local`. */
  private async chat(): Promise<void> {
    const { status, complete, text } = await chat(this.desk, {
      ...{ projectId: 'quiet', provider: 'custom', providerName: 'local', model: 'short' },
      messages: [{ role: 'user', content: 'Say hello.' }],
    });
    if (status !== 200 || !complete || text === '') throw new Error(`the chat was answered ${status}: ${text}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  private async post(path: string, body: unknown, wanted: number, receipt?: string): Promise<any> {
    const desk = this.desk;
    const headers = { 'x-api-key': desk.key, 'content-type': 'application/json' };
    const response = await fetch(`${desk.url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...(receipt === undefined ? {} : { 'x-wait-for': receipt }) },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.status !== wanted) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

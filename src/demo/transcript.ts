import { formatUtc } from '../core/base/time/time.ts';
import type { Arrival } from './arrivals.ts';
import type { Course, Customer, DemoToolCall } from './course.ts';
import {
  CHANNELS,
  COMMENTED,
  FEEDBACK_DELAY_MINUTES,
  FEEDBACK_GIVEN,
  type Language,
  MODELS,
  OUTAGE_EFFECTS,
  PLANS,
  REFUND,
  SCORES,
  TOKENS,
} from './story.ts';

const MINUTE = 60_000;

export interface DemoEvent {
  id: string;
  eventName: string;
  timestamp: string;
  threadId: string;
  executionId?: string;
  properties: Record<string, unknown>;
}

export class Transcript {
  private readonly arrival: Arrival;
  private readonly customer: Customer;
  private readonly course: Course;
  private readonly events: DemoEvent[] = [];
  private clock: number;
  private calls = 0;
  private inputTokens = TOKENS.instructions;

  constructor(arrival: Arrival, customer: Customer, course: Course) {
    this.arrival = arrival;
    this.customer = customer;
    this.course = course;
    this.clock = arrival.startedAt;
  }

  write(): DemoEvent[] {
    const { replies, lookups, payBacks } = this.course;
    this.start();
    for (let turn = 1; turn <= replies; turn++) {
      if (turn > 1) this.customerPauses();
      if (turn === 1) this.callTools(lookups, turn);
      if (turn === replies) this.callTools(payBacks, turn);
      this.reply(turn);
    }
    this.end();
    this.rate();
    return this.events;
  }

  private start(): void {
    const { topic } = this.arrival;
    const { channel, plan, language, country, tenureMonths } = this.customer;
    this.record('started', 'conversation_started', {
      channel,
      plan,
      language,
      topic,
      customer: { country, tenureMonths },
    });
  }

  private callTools(calls: DemoToolCall[], turn: number): void {
    for (const { tool, success, durationMs } of calls) {
      this.clock += durationMs;
      this.calls += 1;
      this.record(`tool-${this.calls}`, 'tool_called', { tool, success, durationMs }, turn);
      if (tool === 'issue_refund' && success) this.payBack(turn);
    }
  }

  private payBack(turn: number): void {
    const { random } = this.arrival;
    const { plan } = this.customer;
    const units = Math.ceil(random.logNormal({ median: PLANS[plan].refund, spread: REFUND.spread }));
    const amount = (units * 100 + random.one(REFUND.cents)) / 100;
    this.clock += 1;
    this.record('refund', 'refund_issued', { amount, currency: 'USD', plan }, turn);
  }

  private reply(turn: number): void {
    const { random, topic, duringOutage } = this.arrival;
    const { model } = this.course;
    const { latencyMs: usual, price } = MODELS[model];
    const latencyMs = Math.round(random.logNormal(usual) * (duringOutage ? OUTAGE_EFFECTS.latency : 1));
    this.inputTokens += Math.round(random.logNormal(TOKENS.message));
    const tokens = { input: this.inputTokens, output: Math.round(random.logNormal(TOKENS.output)) };
    // Prices are for a million tokens: dollars with six decimals.
    const costUsd = Math.round(tokens.input * price.input + tokens.output * price.output) / 1e6;
    this.clock += latencyMs;
    this.record(`reply-${turn}`, 'agent_replied', { model, latencyMs, tokens, costUsd, topic }, turn);
  }

  private end(): void {
    const { topic, startedAt } = this.arrival;
    const { channel, plan } = this.customer;
    const { ending, replies, reason } = this.course;
    this.customerPauses();
    if (ending === 'resolved') {
      const minutes = Math.round((this.clock - startedAt) / (MINUTE / 10)) / 10;
      const resolved = { minutes, replies, channel, plan, topic, resolvedBy: 'agent' };
      this.record('ended', 'conversation_resolved', resolved);
    } else if (ending === 'escalated') {
      this.record('ended', 'conversation_escalated', { reason, channel, plan, topic });
    }
  }

  private rate(): void {
    const { random, topic, struck } = this.arrival;
    const { plan, language } = this.customer;
    const end = struck && this.course.ending !== 'resolved' ? 'duringOutage' : this.course.ending;
    if (!random.chance(FEEDBACK_GIVEN[end])) return;
    const score = random.position(SCORES[end]) + 1;
    const mood: Mood = score >= 4 ? 'content' : struck ? 'outage' : 'unhappy';
    const comment = random.chance(COMMENTED) ? { comment: random.one(COMMENTS[mood][language]) } : {};
    this.clock += Math.round(random.logNormal(FEEDBACK_DELAY_MINUTES) * MINUTE);
    this.record('feedback', 'feedback_given', { score, plan, topic, ...comment });
  }

  private customerPauses(): void {
    const { pauseMinutes } = CHANNELS[this.customer.channel];
    this.clock += Math.round(this.arrival.random.logNormal(pauseMinutes) * MINUTE);
  }

  /** `step` is unique in the conversation. Each turn is an execution. */
  private record(step: string, eventName: string, properties: Record<string, unknown>, turn?: number): void {
    const { threadId } = this.arrival;
    this.events.push({
      id: `${threadId}-${step}`,
      eventName,
      timestamp: formatUtc(this.clock),
      threadId,
      ...(turn === undefined ? {} : { executionId: `${threadId}-turn-${turn}` }),
      properties,
    });
  }
}

export type Mood = 'content' | 'unhappy' | 'outage';

export const COMMENTS: Record<Mood, Record<Language, readonly [string, ...string[]]>> = {
  content: {
    pt: [
      'Rápido e claro, obrigado!',
      'Resolveu na hora, muito bom.',
      'Atendimento excelente, não precisei esperar.',
      'Ótima explicação, agora entendi.',
    ],
    en: ['Quick and to the point.', 'Solved in two minutes, thanks!', 'Better than waiting on the phone.'],
    es: ['Muy rápido, gracias.', 'Me lo explicó todo muy bien.', 'Solución inmediata, ¡genial!'],
  },
  unhappy: {
    pt: [
      'Não entendeu a minha pergunta.',
      'Tive que repetir tudo três vezes.',
      'A solução não funcionou.',
      'Queria falar com uma pessoa.',
    ],
    en: ['It kept sending me the same article.', 'I had to ask for a human.', 'Did not answer my question.'],
    es: ['No entendió mi problema.', 'Tardó demasiado y no sirvió.', 'Prefiero hablar con una persona.'],
  },
  outage: {
    pt: [
      'O pagamento não passa e ninguém sabe dizer por quê.',
      'Meu reembolso não saiu, é a terceira tentativa.',
      'Cobrança em duplicidade e o sistema está fora do ar!',
    ],
    en: [
      'My payment fails and the bot cannot see my order.',
      'Refund stuck, the assistant keeps saying "try again later".',
      'Charged twice, no help at all.',
    ],
    es: ['El pago falla y nadie sabe por qué.', 'El reembolso no llegó, siempre da error.', 'Me cobraron dos veces.'],
  },
};

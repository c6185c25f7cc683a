import type { Random } from './random.ts';
import { CHANNELS, type Channel, LANGUAGES, type Language, PLANS, type Plan } from './story.ts';

export interface Customer {
  plan: Plan;
  channel: Channel;
  language: Language;
  country: string;
  tenureMonths: number;
}

export function drawCustomer(random: Random): Customer {
  const plan = random.key(PLANS);
  const language = random.key(LANGUAGES);
  return {
    plan,
    channel: random.key(CHANNELS),
    language,
    country: random.key<string>(LANGUAGES[language].countries),
    tenureMonths: Math.min(84, Math.floor(random.logNormal({ median: PLANS[plan].tenureMonths, spread: 0.8 }))),
  };
}

import type { MetricDefinition } from '../../../../src/core/analytics/metrics/schema.ts';

/** A catalogue as a team of support and sales would write it. */
export const METRICS: Record<string, Partial<MetricDefinition>> = {
  resolution_rate: {
    title: 'Resolution rate',
    description: 'Share of started conversations that the agent resolved without a person.',
    synonyms: ['solve rate', 'self-service rate'],
  },
  escalation_rate: {
    title: 'Escalation rate',
    description: 'Share of conversations that were handed over to a person.',
    synonyms: ['handoff rate'],
  },
  first_response_time: {
    title: 'First response time',
    description: 'Median minutes until the first reply to a customer.',
    synonyms: ['FRT', 'time to first reply'],
  },
  csat: {
    title: 'Customer satisfaction',
    description: 'Average rating that customers gave after a conversation.',
    synonyms: ['satisfaction score', 'CSAT score'],
  },
  revenue: {
    title: 'Revenue',
    description: 'Sum of the amounts of paid orders, before refunds.',
    synonyms: ['sales', 'turnover', 'gross revenue'],
  },
  net_revenue: { title: 'Net revenue', description: 'Revenue less refunds.', synonyms: ['revenue after refunds'] },
  refund_rate: { title: 'Refund rate', description: 'Share of orders that were refunded.', synonyms: ['return rate'] },
  average_order_value: {
    title: 'Average order value',
    description: 'Revenue by the number of paid orders.',
    synonyms: ['AOV', 'basket size'],
  },
  active_users: {
    title: 'Weekly active users',
    description: 'Distinct users who did something within a week.',
    synonyms: ['WAU', 'active customers'],
  },
  churn_rate: {
    title: 'Churn rate',
    description: 'Share of subscriptions that were cancelled.',
    synonyms: ['cancellation rate', 'attrition'],
  },
  signup_conversion: {
    title: 'Signup conversion',
    description: 'Share of visits that ended in a registration.',
    synonyms: ['conversion rate', 'visitor to signup'],
  },
  cost_per_conversation: {
    title: 'Cost per conversation',
    description: 'Dollars of model tokens by conversation.',
    synonyms: ['LLM cost', 'token spend'],
  },
};

/** How people ask for each, five ways. */
export const PARAPHRASES: Record<string, string[]> = {
  resolution_rate: [
    'Resolution Rate',
    'solve-rate',
    'how many conversations get resolved',
    'percentage of tickets resolved by the agent',
    'self service rate',
  ],
  escalation_rate: [
    'escalations',
    'handoff rate',
    'how often do we escalate to a person',
    'share handed over to a human person',
    'rate of escalated conversations',
  ],
  first_response_time: [
    'FRT',
    'time to first reply',
    'how long until the first response',
    'median minutes to first answer',
    'response time',
  ],
  csat: [
    'CSAT',
    'customer satisfaction',
    'satisfaction score',
    'how satisfied are customers',
    'average rating after conversations',
  ],
  revenue: ['revenue', 'sales', 'turnover', 'gross revenue', 'sum of paid orders'],
  net_revenue: [
    'net revenue',
    'revenue after refunds',
    'net_revenue',
    'revenue less refunds',
    'revenue minus what we refunded, net',
  ],
  refund_rate: [
    'refund rate',
    'return rate',
    'share of refunded orders',
    'how many orders are refunded',
    'refunds rate',
  ],
  average_order_value: [
    'AOV',
    'basket size',
    'average order value',
    'mean value of an order',
    'order value on average',
  ],
  active_users: [
    'WAU',
    'weekly active users',
    'active customers',
    'distinct users in a week',
    'how many users are active',
  ],
  churn_rate: [
    'churn',
    'cancellation rate',
    'attrition',
    'how many subscriptions were cancelled',
    'customer churn rate',
  ],
  signup_conversion: [
    'conversion rate',
    'signup conversion',
    'visits that become signups',
    'visitor-to-signup',
    'registrations per visit conversion',
  ],
  cost_per_conversation: [
    'LLM cost',
    'token spend',
    'cost per conversation',
    'what does a conversation cost',
    'dollars of tokens per chat',
  ],
};

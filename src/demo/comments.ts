import type { Language } from './story.ts';

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

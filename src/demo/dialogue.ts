import type { Language, Topic } from './story.ts';

/* Words of customers and agent: a question of each topic, an answer, and one that helps nobody. */

export const INSTRUCTIONS =
  'You are the support agent of Aurora Store, a shop for card readers. Answer in the language of the customer, in at most ' +
  'four sentences. Look orders up before you speak about them. Offer a person when you cannot help.';

interface Dialogue {
  question: string;
  answer: string;
  failure: string;
}

export const DIALOGUES: Record<Topic, Record<Language, Dialogue>> = {
  billing: {
    pt: {
      question: 'Fui cobrado duas vezes pela mesma fatura. Podem verificar?',
      answer: 'Encontrei as **duas cobranças**. A segunda foi estornada e aparece no seu cartão em até 5 dias úteis.',
      failure: 'Não consegui consultar a cobrança agora. Tente de novo mais tarde.',
    },
    en: {
      question: 'I was charged twice for the same invoice. Can you check?',
      answer: 'I found **both charges**. The second one has been reversed and reaches your card within 5 working days.',
      failure: 'I cannot see the charge at the moment. Please try again later.',
    },
    es: {
      question: 'Me cobraron dos veces la misma factura. ¿Pueden revisarlo?',
      answer: 'Encontré los **dos cargos**. El segundo ya fue anulado y llega a su tarjeta en 5 días hábiles.',
      failure: 'No puedo consultar el cargo en este momento. Intente más tarde.',
    },
  },
  login: {
    pt: {
      question: 'Esqueci minha senha e o e-mail não chega.',
      answer: 'Enviei um novo link. Ele vale por 30 minutos:\n\n1. Abra o e-mail\n2. Escolha a senha nova',
      failure: 'Use a opção "esqueci minha senha" na página de login.',
    },
    en: {
      question: 'I forgot my password, and the e-mail does not arrive.',
      answer: 'I have sent a new link. It works for 30 minutes:\n\n1. Open the e-mail\n2. Choose a new password',
      failure: 'Please use "forgot password" on the login page.',
    },
    es: {
      question: 'Olvidé mi contraseña y el correo no llega.',
      answer: 'Envié un enlace nuevo. Vale por 30 minutos:\n\n1. Abra el correo\n2. Elija la contraseña nueva',
      failure: 'Use "olvidé mi contraseña" en la página de acceso.',
    },
  },
  shipping: {
    pt: {
      question: 'Quando chega o meu pedido?',
      answer: 'O pedido saiu ontem do centro de distribuição e chega **amanhã**, entre 9h e 18h.',
      failure: 'Os prazos de entrega estão na página de ajuda.',
    },
    en: {
      question: 'When does my order arrive?',
      answer: 'It left the warehouse yesterday and arrives **tomorrow**, between 9 am and 6 pm.',
      failure: 'Delivery times are on the help page.',
    },
    es: {
      question: '¿Cuándo llega mi pedido?',
      answer: 'Salió ayer del almacén y llega **mañana**, entre las 9 y las 18 horas.',
      failure: 'Los plazos de entrega están en la página de ayuda.',
    },
  },
  refund: {
    pt: {
      question: 'Devolvi a maquininha há dez dias e ainda não recebi o reembolso.',
      answer: 'A devolução foi recebida e o reembolso saiu hoje. Ele aparece em até 5 dias úteis.',
      failure: 'O sistema de pagamentos não responde. Tente de novo mais tarde.',
    },
    en: {
      question: 'I sent the reader back ten days ago and still have no refund.',
      answer: 'We have received it, and the refund went out today. It arrives within 5 working days.',
      failure: 'The payment system does not answer. Please try again later.',
    },
    es: {
      question: 'Devolví el lector hace diez días y no recibí el reembolso.',
      answer: 'Ya lo recibimos y el reembolso salió hoy. Llega en 5 días hábiles.',
      failure: 'El sistema de pagos no responde. Intente más tarde.',
    },
  },
  bug: {
    pt: {
      question: 'O aplicativo fecha quando abro o relatório de vendas.',
      answer: 'Isso acontece na versão 4.1. Atualize para a **4.2** e o relatório abre de novo.',
      failure: 'Reinicie o aplicativo, por favor.',
    },
    en: {
      question: 'The app closes when I open the sales report.',
      answer: 'That happens in version 4.1. Update to **4.2**, and the report opens again.',
      failure: 'Please restart the app.',
    },
    es: {
      question: 'La aplicación se cierra cuando abro el informe de ventas.',
      answer: 'Pasa en la versión 4.1. Actualice a la **4.2** y el informe vuelve a abrir.',
      failure: 'Reinicie la aplicación, por favor.',
    },
  },
  how_to: {
    pt: {
      question: 'Como cadastro um segundo vendedor na minha conta?',
      answer: 'Em *Configurações > Equipe* escolha **Convidar** e informe o e-mail dele.',
      failure: 'Veja o manual do usuário.',
    },
    en: {
      question: 'How do I add a second seller to my account?',
      answer: 'In *Settings > Team*, choose **Invite** and enter the e-mail address.',
      failure: 'See the user manual.',
    },
    es: {
      question: '¿Cómo agrego un segundo vendedor a mi cuenta?',
      answer: 'En *Ajustes > Equipo* elija **Invitar** y escriba el correo.',
      failure: 'Consulte el manual del usuario.',
    },
  },
};

export const THANKS: Record<Language, string> = {
  pt: 'E agora?',
  en: 'And what do I do now?',
  es: '¿Y qué hago ahora?',
};

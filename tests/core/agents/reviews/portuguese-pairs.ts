export type Pair = [one: string, other: string];

/** Words of customer support by the endings of their plurals: each pair is found in both directions. */
export const PLURALS = pairs(`
  erro/erros pedido/pedidos cliente/clientes resposta/respostas entrega/entregas troca/trocas pé/pés café/cafés
  cartão/cartões botão/botões solução/soluções opção/opções função/funções transação/transações devolução/devoluções
  reclamação/reclamações alemão/alemães capitão/capitães irmão/irmãos cidadão/cidadãos
  mensagem/mensagens ordem/ordens imagem/imagens cupom/cupons ruim/ruins fim/fins
  valor/valores setor/setores vez/vezes luz/luzes país/países mês/meses inglês/ingleses gás/gases
  canal/canais total/totais final/finais sinal/sinais papel/papéis nível/níveis possível/possíveis hotel/hotéis
  lençol/lençóis espanhol/espanhóis azul/azuis perfil/perfis barril/barris fácil/fáceis útil/úteis difícil/difíceis
  lápis/lápis ônibus/ônibus
`);

/** Of the review too, but neither singular nor plural: they need not be found. */
export const OTHER_FORMS = pairs('foi/ser fez/fazer veio/vir trouxe/trazer disse/dizer lento/lentidão');

export const MORE_PLURALS = pairs(`
  prazo/prazos compra/compras aplicativo/aplicativos atraso/atrasos bebê/bebês crachá/crachás bônus/bônus
  ação/ações correção/correções informação/informações avaliação/avaliações promoção/promoções ligação/ligações razão/razões padrão/padrões
  pão/pães cão/cães guardião/guardiães mão/mãos órgão/órgãos bênção/bênçãos grão/grãos
  viagem/viagens embalagem/embalagens item/itens homem/homens nuvem/nuvens jovem/jovens comum/comuns álbum/álbuns
  cor/cores flor/flores vendedor/vendedores consumidor/consumidores lugar/lugares mulher/mulheres árvore/árvores
  voz/vozes feliz/felizes rapaz/rapazes raiz/raízes juiz/juízes português/portugueses
  chinês/chineses francês/franceses freguês/fregueses deus/deuses análise/análises frase/frases
  adicional/adicionais digital/digitais fiscal/fiscais geral/gerais igual/iguais local/locais manual/manuais
  mensal/mensais parcial/parciais pessoal/pessoais real/reais anel/anéis painel/painéis túnel/túneis fiel/fiéis
  confiável/confiáveis disponível/disponíveis responsável/responsáveis móvel/móveis farol/faróis anzol/anzóis fuzil/fuzis
  frágil/frágeis portátil/portáteis ágil/ágeis hábil/hábeis pai/pais lei/leis rei/reis herói/heróis
  museu/museus chapéu/chapéus grau/graus táxi/táxis menu/menus
  e-mail/e-mails mail/mails email/emails chat/chats link/links ticket/tickets site/sites bot/bots token/tokens login/logins
  plugin/plugins app/apps feedback/feedbacks gol/gols
  hífen/hifens líquen/liquens pólen/polens sêmen/semens abdômen/abdomens éden/edens cânon/cânones
`);

/** Plurals that are missed: their singulars have one letter before the ending, or end in `-ai` or rarely in `-n`. */
export const MISSED_PLURALS = pairs(
  'sal/sais sol/sóis mel/méis tal/tais papai/papais samurai/samurais elétron/elétrons',
);

/** Words that resemble a singular and its plural, or share a stem with one. */
export const FALSE_FRIENDS = pairs(`
  mal/mais carta/cartão carta/cartões cartas/cartões capitão/capitais cristão/cristais pai/país pai/países
  final/fino fim/final fins/fino fins/finais informal/informação adicional/adicionar normal/norma formal/forma
  fiscal/fisco postal/posto canal/cano local/louco atual/atuar geral/gerar total/todo papel/papai papel/papo anel/ano
  móvel/mover fácil/face perfil/perfume lençol/lenço farol/faro legal/lego real/rei sinal/sino valor/vale luz/lua
  vez/você cruz/cru gás/gasto capaz/capa cartaz/carta bom/boné bons/boné dons/dona sons/sono tons/tonel trens/treno
  comuns/comunicação ordens/ordenar armazéns/armazenar confins/confinar token/tocar contagem/contágio
  mensagem/mensal mensagens/mensais imagens/imaginar homens/homenagem leão/lei razão/raiz opção/opaco posses/pós
  viroses/virar celuloses/celular precises/preço seis/sei dois/dói três/trem após/apoio pões/pão quis/quilo
  botão/bota portão/porta milhão/milho caixão/caixa salão/sala senhor/senha autor/auto favor/fava motor/moto
`);

/** False friends that are found all the same, and why. */
export const CONFUSED = new Map(
  Object.entries({
    'one stem in PostgreSQL': pairs(`
      meses/mesa mão/mães irmã/irmão caso/casa conta/conto porto/porta cor/coro finais/fino gerais/gerar
      informais/informação sinais/sina`),
    'one stem without accents': pairs(`
      mês/mesa pais/país avó/avô pôde/pode pão/pá chão/chá juiz/juízo férias/feras lápis/lapa grátis/grato`),
    'a stop word with the stem of the other': pairs('por/pores'),
    'a singular with the stem of the other': pairs('burguês/burgo freguês/frege sons/somas mamões/mamães'),
  }),
);

function pairs(text: string): Pair[] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('/') as Pair);
}

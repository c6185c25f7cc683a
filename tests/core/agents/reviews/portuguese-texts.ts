/**
 * What reviewers write about the answers of support agents, in Brazilian and European Portuguese: some hundreds of
 * comments, the same ones every time.
 */
const WHOLE = [
  'Resposta correta, mas o tom ficou frio demais para um cliente que já estava irritado.',
  'O agente inventou um prazo de devolução de 45 dias; a política diz 30.',
  'Ótimo atendimento! Rápido, educado e resolveu na primeira mensagem 👏👏',
  'PÉSSIMO. Não leu o histórico e pediu o número do pedido três vezes!!!',
  'Faltou confirmar os dados antes de alterar o endereço de entrega.',
  'A informação sobre o frete está desatualizada: agora é R$ 19,90 e não R$ 12,50.',
  'As informações do boleto vieram certas, só faltou a 2ª via em PDF.',
  'O cliente pediu a 2a via do boleto e recebeu a fatura do mês passado.',
  'Reembolso prometido em 5 dias úteis, mas para cartão são até 2 faturas.',
  'Reembolsos parciais não existem no nosso sistema, o agente não devia oferecer.',
  'nao respondeu a pergunta, so mandou o link da central de ajuda',
  'informacao errada sobre garantia, o produto tem 12 meses e nao 3',
  'Deveria ter transferido para um humano quando o cliente falou em Procon.',
  'Transferiu para o atendente humano sem explicar o motivo.',
  'Concordo com a resposta, porém eu cortaria o último parágrafo.',
  'Pedido #BR-2025-00123 foi entregue em 11/10/2025, o agente disse que ainda estava em trânsito.',
  'O código de rastreio AA123456789BR não foi informado.',
  'O protocolo 20251011-4471 não existe; alucinação.',
  'Alucinou! Não há loja física em Santarém.',
  'Mandou o cliente escrever para suporte@lojaexemplo.com.br, que já não existe.',
  'O e-mail certo é atendimento@lojaexemplo.com.br e não suporte@lojaexemplo.com.br',
  'E-mails com anexo acima de 10MB são recusados, convém avisar.',
  'O link https://www.lojaexemplo.com.br/ajuda/trocas?origem=chat dá erro 404.',
  'Link correto: www.lojaexemplo.com.br/ajuda/trocas',
  'Enviou http://localhost:3000/pedidos/123 para o cliente, endereço interno!',
  'Ver o procedimento em /docs/atendimento/reembolso.pdf, página 4.',
  'O guarda-chuva veio quebrado e o agente ofereceu cupom de 10% em vez de troca.',
  'Guarda-roupa com 3 portas: a montagem é gratuita, o agente cobrou R$ 150.',
  'Bem-vindo é com hífen; e "a nível de" não se usa.',
  'Atendimento só de segunda-feira a sexta-feira, das 9h às 18h.',
  'Na segunda feira o cliente voltou a reclamar do mesmo problema.',
  'Poderia avisá-lo antes de cancelar a assinatura, é o que diz a regra.',
  'Dar-lhe-ia um 4: explicou bem, mas esqueceu a nota fiscal.',
  'Explicá-lo assim ao utilizador só gera mais dúvidas.',
  'O utilizador pediu a fatura com contribuinte e o agente não percebeu.',
  'O telemóvel do cliente é +351 912 345 678 e não devia aparecer na resposta.',
  'Expôs o CPF 123.456.789-00 do cliente na resposta. Grave!',
  'Nunca repetir o número do cartão, nem os 4 últimos dígitos.',
  'A encomenda foi devolvida ao remetente, era preciso verificar a morada.',
  'O agente usou "você" com cliente de Portugal; devia tratar por "o senhor" ou "a senhora".',
  'Português europeu misturado com brasileiro: "autocarro" e "ônibus" na mesma frase.',
  'Traduziu "refund" como "refundo"... a palavra é reembolso / devolução.',
  'Devoluções são gratuitas até 14 dias. Depois, custam 4,99 €.',
  'A devolução foi aceite mas o valor não foi creditado.',
  'Cobrança em duplicidade: o cliente pagou 2x a mesma fatura.',
  'Pagamento via Pix não é parcelado! Parcelamos só no cartão em até 12x.',
  'O desconto do cupom BEMVINDO10 não acumula com a promoção.',
  'Promoção válida até 31/12/2025, o agente disse 31-01-2026.',
  'Peso máximo 12.5kg por volume, o agente disse 30 kg.',
  'Entrega em 2-3dias só para capitais; no interior são 7 a 10 dias.',
  'Tempo de resposta 1.5h, meta é 30min.',
  'Versão v2.3.1 do aplicativo não tem esse botão, só a 3.0.',
  'O wi-fi do aparelho só funciona em 2,4 GHz. Resposta correta!',
  'Temperatura indicada -18ºC, o agente disse 18 graus positivos 🥶',
  'Nota 10/10, nada a corrigir.',
  '5 estrelas ⭐⭐⭐⭐⭐',
  '👍',
  '👎 👎',
  'ok',
  'Não.',
  'Sem comentários',
  '<p>Resposta <b>incompleta</b>, falta o prazo.</p>',
  '<div class="nota">Tom inadequado &amp; sem saudação</div><br/>',
  'Escapou HTML na resposta: <a href="https://lojaexemplo.com.br/troca">clique aqui</a>',
  'O texto saiu com &nbsp; e &#39; no meio das frases',
  'A resposta mostrou {{nome_do_cliente}} em vez do nome.',
  'Campo data_de_entrega vazio na resposta.',
  'Atendente gentil, porém não resolveu: problema/solução não batem.',
  'Sim/não teria bastado, a resposta tem 12 linhas.',
  'O cliente perguntou sobre troca e/ou devolução, respondeu só troca.',
  "Caixa d'água de 500 litros não cabe no elevador, bem lembrado.",
  'Sr. João D’Ávila pediu desculpas pelo mal-entendido “grave” — tudo resolvido…',
  'Cliente idosa, linguagem técnica demais (firmware, DNS, roteador).',
  'Responder em até 24 horas, o agente levou 36.',
  'Não cumpriu o SLA; ver chamado INC0012345.',
  'Nº do pedido trocado: 98765 em vez de 98756.',
  'n° da nota fiscal não confere',
  'Cancelou o pedido errado. CANCELAMENTO INDEVIDO!',
  'O cancelamento foi correto, faltou confirmar por escrito.',
  'Cancelar antes de confirmar é proibido, ver política de cancelamentos.',
  'Cancelei a mensagem e escrevi outra, acho que o agente se perdeu.',
  'Corrigi a saída: acrescentei a política de trocas e retirei o elogio.',
  'Correção: o horário de atendimento é 8h-20h.',
  'As correções anteriores não foram aplicadas, o agente repete o mesmo erro.',
  'Erro de concordância: "as informações está correta".',
  'Erros de ortografia: "concerteza", "mecher", "agente" por "a gente".',
  'Muita enrolação. O cliente quer solução, não explicações.',
  'Solucao simples e clara, gostei',
  'Solucionou em duas mensagens.',
  'Gostaríamos de mais empatia nas primeiras frases.',
  'gostariamos que o agente perguntasse o tamanho antes de trocar',
  'Se pudéssemos escolher, o agente não falaria de concorrentes.',
  'Estávamos esperando a nota fiscal e veio um pedido de desculpas.',
  'Os clientes pagarão o frete de volta? A resposta não diz.',
  'os clientes receberao o reembolso quando? nao ficou claro',
  'Agente confiável nas perguntas simples, pouco confiável em cobrança.',
  'Respostas confiáveis, fontes citadas.',
  'fontes pouco confiaveis, citou um blog',
  'Produto disponível só na loja on-line; disponíveis 3 unidades.',
  'A experiência do cliente foi boa, é a segunda vez que elogia.',
  'experiencia ruim, cliente desistiu da compra',
  'Urgente: o agente passou um telefone que não é nosso.',
  'Não tratou a urgência do caso, cliente sem remédio há 2 dias.',
  'O atendente é muito insistente na venda, a insistência irrita.',
  'Venda casada é proibida por lei (art. 39 do CDC).',
  'Ação correta: bloquear o cartão e avisar o titular.',
  'As ações sugeridas estão na ordem errada.',
  'Recomendação boa, mas recomendações demais confundem.',
  'Não entendi por que o agente pediu selfie com documento, será golpe?',
  'Pôr o cliente em espera sem avisar não dá.',
  'Há dois anos que o produto saiu de linha, a base de conhecimento está velha.',
  'A base diz uma coisa e o agente outra, rever o artigo kb/entrega-expressa.',
  'Às vezes responde em inglês: "Sure! Here is the answer".',
  'Crianças: a idade mínima é 3 anos e não 36 meses (é o mesmo, mas confunde 😅).',
  'O acento sumiu: "voce", "nao", "esta" — configurar UTF-8.',
  'Cliente disse que está tudo certo agora. Está mesmo.',
  'Esta resposta esta boa',
  'Avó ou avô? O agente trocou a titular da conta.',
  'Pão de queijo congelado: validade de 6 meses, resposta perfeita.',
  'Tirou nota baixa por não saudar; a meu ver injusto.',
  'Faltou a saudação inicial e a despedida.',
  'Saudações formais demais para o chat.',
  'Deu muita importância a um detalhe.',
  'O mais importante faltou: o prazo.',
  'resposta sem importancia nenhuma',
  'É preciso verificá-lo antes de responder.',
];

const OPENINGS = [
  'O agente respondeu rápido, mas',
  'A resposta é clara, porém',
  'Cliente insatisfeito:',
  'Bom começo;',
  'Revisado em 12/10/2025:',
  'Atenção:',
  'No geral gostei, só que',
  'Segunda revisão:',
  'Em relação ao pedido 4471,',
  'Conforme a política de trocas,',
  'Ao contrário do que diz a base de conhecimento,',
  'O tom está adequado e',
  'Reincidente:',
  'Comparando com a execução anterior,',
  'Na avaliação do supervisor,',
  'Sinceramente,',
  'O utilizador agradeceu, contudo',
];

const FINDINGS = [
  'não informou o prazo de entrega',
  'o prazo informado estava errado',
  'os prazos de devolução não batem com o site',
  'faltou pedir desculpas pelo atraso na encomenda',
  'o valor do frete foi calculado sem o desconto',
  'o reembolso deveria ser feito no mesmo cartão',
  'não verificou a identidade antes de mostrar os dados',
  'a explicação sobre a garantia ficou confusa',
  'as explicações são longas e repetidas',
  'a cobrança duplicada não foi reconhecida',
  'sugeriu uma solução que não existe no aplicativo',
  'as soluções sugeridas funcionaram',
  'ofereceu um cupom sem autorização',
  'transferiu a conversa sem necessidade',
  'ignorou a pergunta sobre a nota fiscal',
  'usou linguagem informal com uma empresa',
  'a tradução para o português de Portugal está incorreta',
  'confundiu troca com devolução',
  'não ofereceu a retirada na loja',
  'citou um artigo antigo da central de ajuda',
  'deu uma estimativa de 2 a 3 dias úteis sem consultar o estoque',
  'pediu de novo o CPF que o cliente já tinha enviado',
  'resolveu o problema do login em uma única mensagem',
];

const CLOSINGS = [
  '.',
  '. Corrigir antes de publicar.',
  '. Ver chamado INC0012345.',
  ', o que gerou nova reclamação.',
  '. Nota 3/5.',
  '. Nota 5/5, parabéns!',
  ' e o cliente pediu para falar com um supervisor.',
  '. Sugiro incluir o link www.lojaexemplo.com.br/ajuda.',
  '. O restante está correto.',
  '!!!',
  ' 😕',
  '. Custo da execução: US$ 0.0042.',
  '. Rever com a equipe de pós-venda.',
];

/** As a share of people write: in a hurry, in capitals, out of an editor, from a keyboard without accents. */
const HABITS: readonly [every: number, offset: number, change: (text: string) => string][] = [
  [5, 1, (text) => text.normalize('NFD').replace(/\p{M}/gu, '')],
  [11, 3, (text) => text.toUpperCase()],
  [13, 5, (text) => text.replace('resposta', 'respsota').replace('cliente', 'cleinte').replace('prazo', 'praso')],
  [17, 7, (text) => `<p>${text.replace(',', ',&nbsp;')}</p>`],
  [19, 2, (text) => text.replace(' não ', ' ñ ').replace('você', 'vc').replace('também', 'tb').toLowerCase()],
  [23, 9, (text) => text.normalize('NFD')],
];

const composed = Array.from({ length: 320 }, (_, place) => {
  const text = `${OPENINGS[place % 17]} ${FINDINGS[place % 23]}${CLOSINGS[place % 13]}`;
  return HABITS.filter(([every, offset]) => place % every === offset).reduce(
    (said, [, , change]) => change(said),
    text,
  );
});

export const comments: readonly string[] = [...WHOLE, ...composed];

/** What someone who looks for reviews types, and what only looks like query syntax. */
export const searches: readonly string[] = [
  'informação | informações | informacao | informacoes | INFORMAÇÕES | informac\u0327o\u0303es',
  'solução | solucoes | devolução | devolucoes | reembolso | reembolsar | cancelamento | cancelar',
  'prazo errado | prazos de entrega | não informou o prazo | nao informou o prazo | praso | prazoentrega',
  'confiável | confiavel | confiaveis | disponivel | experiência | experiencias | urgencia | insistência',
  'gostaríamos | gostariamos | receberão | pagarao | correções | ação | acoes | explica | estavamos | pudessemos',
  'importante | importância | importancia | verificar | verificá-lo',
  'não | nao | está | não é | e/ou | que não | sem | à | nao esta',
  'guarda-chuva | guarda chuva | guarda-roupas | segunda-feira | segunda feira | pós-venda | pos-venda',
  "e-mail | email | avisá-lo | dar-lhe | d'água | água | D’Ávila | mal-entendido | wi-fi | wifi",
  'suporte@lojaexemplo.com.br | lojaexemplo.com.br | lojaexemplo | https://www.lojaexemplo.com.br/ajuda/trocas',
  'http://localhost:3000 | /docs/atendimento/reembolso.pdf | reembolso.pdf | kb/entrega-expressa',
  'troca/devolução | problema/solução | sim/não | nome_do_cliente | data_de_entrega | cliente',
  '#BR-2025-00123 | BR-2025-00123 | 00123 | AA123456789BR | 20251011-4471 | 4471 | INC0012345 | inc0012345',
  'R$ 19,90 | 19.90 | 4,99 € | US$ 0.0042 | 10% | 123.456.789-00 | +351 912 345 678',
  '11/10/2025 | 31-01-2026 | 9h | 24 horas | 12.5kg | 12.5 kg | kg | 2-3dias | 2-3 dias | 30min | 1.5h',
  '2ª via | 2a via | 2° via | nº do pedido | v2.3.1 | -18ºC | 5 estrelas | 10/10 | 12x',
  '<b>incompleta</b> | saudação &amp; tom | <br/> | &nbsp; | 👍 | “grave” | "prazo de entrega"',
  "prazo AND entrega | prazo OR entrega | NEAR(prazo entrega) | prazo* | prazo -entrega | '; DROP TABLE reviews",
  'avó | avô | por | pôr | ñ | ONIBUS | português | utilizador | voce | esta boa | ?!',
].flatMap((line) => line.split(' | '));

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

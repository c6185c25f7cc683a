/** Training data and gaps. */
export const training = {
  'There is no example to download.': 'Não há exemplo para baixar.',
  'There is no line to download.': 'Não há linha para baixar.',
  '{name} is complete: {size}': '{name} está completo: {size}',
  'The download is under way. It is saved when it is complete: stay on this page.':
    'O download está em andamento. O arquivo é salvo quando estiver completo: fique nesta página.',
  '{size} so far': '{size} até agora',
  '{size} so far, {lines} of {count} lines': {
    one: '{size} até agora, {lines} de {count} linha',
    other: '{size} até agora, {lines} de {count} linhas',
  },
  'Answer, labelled good': 'Resposta, marcada como boa',
  'Answer, labelled bad': 'Resposta, marcada como ruim',
  'Preferred answer': 'Resposta preferida',
  'Other answer': 'Outra resposta',
  '{speaker}, not taught': '{speaker}, fora do treinamento',
  '[image {url}]': '[imagem {url}]',
  'Calls {call}': 'Chama {call}',
  '{beginning} … and {count} more characters': {
    one: '{beginning} … e mais {count} caractere',
    other: '{beginning} … e mais {count} caracteres',
  },
  'The export broke off before its end, and nothing was saved. Start it again.':
    'A exportação foi interrompida antes do fim, e nada foi salvo. Comece de novo.',
  'Any tag': 'Qualquer etiqueta',
  'Supervised (SFT)': 'Supervisionado (SFT)',
  'For OpenAI’s supervised fine-tuning: answers rated good, and corrected ones.':
    'Para o fine-tuning supervisionado da OpenAI: respostas com classificação boa, e corrigidas.',
  'Preference (DPO)': 'Preferência (DPO)',
  'For OpenAI’s preference fine-tuning: the correction beside the original answer.':
    'Para o fine-tuning por preferência da OpenAI: a correção ao lado da resposta original.',
  'Good or bad (KTO)': 'Boa ou ruim (KTO)',
  'For TRL: each answer with its label; a correction is a line of its own.':
    'Para o TRL: cada resposta com sua marca; uma correção é uma linha própria.',
  'Conversations|a format': 'Conversas',
  'One JSON document with every review as an example, uncorrected bad answers included.':
    'Um documento JSON com cada revisão como exemplo, incluindo respostas ruins não corrigidas.',
  '{count} examples': { one: '{count} exemplo', other: '{count} exemplos' },
  'The execution was not recorded.': 'A execução não foi registrada.',
  'No question stands right before the answer.': 'Não há pergunta logo antes da resposta.',
  'The conversation holds a file, or images that fine-tuning refuses.':
    'A conversa tem um arquivo, ou imagens que o fine-tuning recusa.',
  'A tool call of the conversation has no answer, or is not one of a function.':
    'Uma chamada de ferramenta da conversa não tem resposta, ou não é de uma função.',
  'The conversation has images, which this format cannot hold.':
    'A conversa tem imagens, que este formato não comporta.',
  'The arguments of a tool call are not a JSON object, as this format needs them.':
    'Os argumentos de uma chamada de ferramenta não são um objeto JSON, como este formato exige.',
  'No answer was recorded, or one that the format cannot hold.':
    'Nenhuma resposta foi registrada, ou o formato não a comporta.',
  'The answer was not rated good, and nobody has corrected it.':
    'A resposta não teve classificação boa, e ninguém a corrigiu.',
  'Nobody has corrected the answer, so there is nothing to prefer.':
    'Ninguém corrigiu a resposta, então não há o que preferir.',
  'The answer was rated needs_improvement, neither good nor bad, and nobody has corrected it.':
    'A resposta teve a classificação needs_improvement, nem boa nem ruim, e ninguém a corrigiu.',
  'Reviewed answers as a file for fine-tuning, with whole conversations.':
    'Respostas revisadas em um arquivo para fine-tuning, com conversas inteiras.',
  'Choose another rating, status, priority, tag or time.':
    'Escolha outra classificação, status, prioridade, etiqueta ou período.',
  'Every review of a recorded execution can become an example: correct a bad answer, or rate a good one.':
    'Cada revisão de uma execução registrada pode virar um exemplo: corrija uma resposta ruim, ou classifique uma boa.',
  'Take the reviews of all agents': 'Usar as revisões de todos os agentes',
  'The file': 'O arquivo',
  '{lines} from {reviews}.': '{lines}, a partir de {reviews}.',
  '{used} of {count} reviews': { one: '{used} de {count} revisão', other: '{used} de {count} revisões' },
  '{count} are left out:': { one: '{count} fica de fora:', other: '{count} ficam de fora:' },
  'Reviews that are left out': 'Revisões que ficam de fora',
  'The first lines': 'As primeiras linhas',
  'The next line is too long for a preview. It is in the download.':
    'A próxima linha é longa demais para a prévia. Ela está no download.',
  'The first examples': 'Os primeiros exemplos',
  'The next example is too long for a preview. It is in the download.':
    'O próximo exemplo é longo demais para a prévia. Ele está no download.',
  '{shown} of {all}': '{shown} de {all}',
  'Example {number}': 'Exemplo {number}',
  'Line {number}': 'Linha {number}',
  '{name} as a conversation': '{name} como conversa',
  '{name} as it is written': '{name} como está escrito',
  'No message: the execution was not recorded.': 'Nenhuma mensagem: a execução não foi registrada.',
  'Questions that agents could not answer from this data. They report them with the MCP tool {tool}.':
    'Perguntas que os agentes não conseguiram responder com estes dados. Eles as relatam com a ferramenta MCP {tool}.',
  'Questions, the most frequent first': 'Perguntas, da mais frequente à menos frequente',
  'No gap was reported': 'Nenhuma lacuna foi relatada',
  'When an agent cannot answer a question, it appears here with what was missing.':
    'Quando um agente não consegue responder a uma pergunta, ela aparece aqui com o que faltou.',
  'Connect an MCP client': 'Conectar um cliente MCP',
  'From the newest {count} of {total} reports.': 'Dos {count} relatos mais recentes de {total}.',
  '{count} times': '{count} vezes',
  'Define a metric for: {question}': 'Definir uma métrica para: {question}',
  'Define a metric': 'Definir uma métrica',
  'Missing: {data}': 'Faltou: {data}',
};

/** The page of the server. */
export const system = {
  Warning: 'Aviso',
  'The checks of {command}: files, databases, keys and addresses. They change nothing.':
    'As verificações de {command}: arquivos, bancos de dados, chaves e endereços. Elas não alteram nada.',
  'Run again': 'Executar de novo',
  'Run the checks': 'Executar as verificações',
  'The checks are running: large files take a while.': 'As verificações estão em execução: arquivos grandes demoram.',
  '{summary}, as of {time}': '{summary}, em {time}',
  'To be mended': 'A corrigir',
  'What is good: {number}': 'O que está bom: {number}',
  'The page shows what runs here, its checks and its errors.':
    'A página mostra o que roda aqui, as verificações e os erros.',
  'This server': 'Este servidor',
  'Recent errors': 'Erros recentes',
  'does not answer': 'não responde',
  'Up for': 'No ar há',
  '{duration}, since {time}': '{duration}, desde {time}',
  'in files of {directory}': 'em arquivos de {directory}',
  'in databases that nodes share; this node has {directory}':
    'em bancos de dados que os nós compartilham; este nó tem {directory}',
  Memory: 'Memória',
  '{used} in use; it plans with {limit}, and nothing limits it':
    '{used} em uso; o servidor conta com {limit}, e nada o limita',
  '{used} in use; it plans with {limit}, by {limitedBy}':
    '{used} em uso; o servidor conta com {limit}, por {limitedBy}',
  'the limit of the container': 'limite do contêiner',
  Nodes: 'Nós',
  'Table of nodes': 'Tabela de nós',
  Node: 'Nó',
  'Last heartbeat': 'Último sinal',
  'Does for all': 'Faz por todos',
  'this one|a node': 'este',
  'No errors since the start': 'Nenhum erro desde o início',
  'The last 100 warnings and errors of the log stand here; its level is {level}.':
    'Os últimos 100 avisos e erros do log aparecem aqui; o nível dele é {level}.',
  'The last {number} of this process, newest first. The log has the rest of each line.':
    'Últimos deste processo: {number}, os mais recentes primeiro. O log tem o resto de cada linha.',
  'Copy the request id {id}': 'Copiar o id da requisição {id}',
  'Request id': 'Id da requisição',
  '{count} failed': { one: '{count} falha', other: '{count} falhas' },
  '{count} warnings': { one: '{count} aviso', other: '{count} avisos' },
  '{count} good': { one: '{count} boa', other: '{count} boas' },
  'less than a minute': 'menos de um minuto',
};

/** Vector stores and their documents. */
export const knowledge = {
  Knowledge: 'Conhecimento',
  'New vector store': 'Nova base vetorial',
  'Documents that agents and people search. A vector store holds those of one subject; each passage that is found names its page, row or line.':
    'Documentos que agentes e pessoas pesquisam. Uma base vetorial reúne os documentos de um assunto; cada trecho encontrado indica sua página, linha da tabela ou linha do texto.',
  'Vector stores, by name': 'Bases vetoriais, por nome',
  'Pages of vector stores': 'Páginas de bases vetoriais',
  'searched by words': 'busca por palavras',
  'made {time}|a vector store': 'Criada em {time}',
  'Rename …': 'Renomear …',
  'Delete …': 'Excluir …',
  '{count} chunks': { one: '{count} trecho', other: '{count} trechos' },
  'No vector store yet': 'Nenhuma base vetorial ainda',
  'Put handbooks, price lists or answers to common questions into one. Agents then find the passage that answers a question, and name where it stands.':
    'Coloque nela manuais, listas de preços ou respostas a perguntas comuns. Os agentes passam a encontrar o trecho que responde a uma pergunta e dizem onde ele está.',
  'Try it with a sample: a store with the rules on returns of a shop, and a question to it.':
    'Experimente com um exemplo: uma base com as regras de devolução de uma loja e uma pergunta sobre elas.',
  'Load the sample': 'Carregar o exemplo',
  'Returns and refunds': 'Devoluções e reembolsos',
  'How long does a refund take?': 'Quanto tempo leva um reembolso?',
  'A refund takes up to five working days after we have approved the return.':
    'Um reembolso leva até cinco dias úteis depois que aprovamos a devolução.',
  'Who may return something?': 'Quem pode devolver algo?',
  'Anybody who asks within 30 days of the purchase. Gift cards and opened software cannot be returned.':
    'Quem pedir em até 30 dias da compra. Cartões-presente e programas com a embalagem aberta não podem ser devolvidos.',
  'Who pays for the way back?': 'Quem paga o frete da devolução?',
  'We do if the article is damaged or not the one that was ordered; otherwise the customer does.':
    'Nós, se o produto estiver danificado ou não for o que foi pedido; caso contrário, o cliente.',
  'Your role, {role}, lets you search vector stores, not change them.':
    'Seu papel, {role}, permite pesquisar bases vetoriais, não alterá-las.',
  'Agents and programs that name it find it by the new name only.':
    'Agentes e programas que a citam só a encontram pelo novo nome.',
  'One for each subject: agents are told which one to search.':
    'Uma para cada assunto: você diz aos agentes em qual buscar.',
  'The vector store was renamed': 'A base vetorial foi renomeada',
  'The vector store was made': 'A base vetorial foi criada',
  'Letters, digits, hyphens, underscores and full stops, such as returns-2026.':
    'Letras, dígitos, hifens, sublinhados e pontos, como devolucoes-2026.',
  'The vector store was deleted': 'A base vetorial foi excluída',
  'It has {documents}. All of it is gone for good, and agents find nothing there any more. The original files are not kept by the server.':
    'Ela tem {documents}. Tudo é excluído de vez, e os agentes não encontram mais nada ali. O servidor não guarda os arquivos originais.',
  'Show all vector stores': 'Mostrar todas as bases vetoriais',
  'All vector stores': 'Todas as bases vetoriais',
  'Question or words': 'Pergunta ou palavras',
  'Passages with these words are found; misspelt words are corrected.':
    'Encontra trechos com essas palavras; palavras com erro são corrigidas.',
  'Passages with these words, and with the same meaning, are found.':
    'Encontra trechos com essas palavras e com o mesmo sentido.',
  'Only where': 'Filtro',
  'Metadata of documents and rows, such as lang=en, or {example}.':
    'Metadados de documentos e linhas, como lang=en, ou {example}.',
  'This is not valid JSON.': 'Isto não é JSON válido.',
  'Write a key, an equals sign and a value, such as lang=en.':
    'Escreva uma chave, um sinal de igual e um valor, como lang=en.',
  '{count} passages, the best first': {
    one: '{count} trecho, o melhor primeiro',
    other: '{count} trechos, o melhor primeiro',
  },
  'The store has no documents yet.': 'A base ainda não tem documentos.',
  'Nothing was found. Use other words.': 'Nada foi encontrado. Use outras palavras.',
  'Nothing was found. Use other words, or a wider filter.':
    'Nada foi encontrado. Use outras palavras ou um filtro mais amplo.',
  'Passages, the best first': 'Trechos, o melhor primeiro',
  '{name}, {place}': '{name}, {place}',
  'best match': 'melhor resultado',
  '{percent} of the best': '{percent} do melhor',
  'Page {page}': 'Página {page}',
  'Row {row}': 'Linha {row} da tabela',
  'Line {line}': 'Linha {line}',
  Document: 'Documento',
  'Earlier text': 'Texto anterior',
  'Later text': 'Texto seguinte',
  'Passages {first} to {last} of {total}': 'Trechos {first} a {last} de {total}',
  Size: 'Tamanho',
  Metadata: 'Metadados',
  'The cited passage': 'O trecho citado',
  'Passage {number}': 'Trecho {number}',
  'Cited:': 'Citado:',
  'Add files': 'Adicionar arquivos',
  'Drop files or folders here, or choose them.': 'Solte arquivos ou pastas aqui, ou escolha-os.',
  'Choose files': 'Escolher arquivos',
  'Choose a folder': 'Escolher uma pasta',
  'The server is set up with another embedder: see below.':
    'O servidor está configurado com outro modelo de embeddings: veja abaixo.',
  'Files may be {formats}, with up to {most} each.': 'Os arquivos podem ser {formats}, com até {most} cada um.',
  'A file replaces the one that was added here under the same name':
    'Um arquivo substitui o que foi adicionado aqui com o mesmo nome',
  '{sent} of {count} files sent': {
    one: '{sent} de {count} arquivo enviado',
    other: '{sent} de {count} arquivos enviados',
  },
  '{sent} of {total} files sent, {failed} not': '{sent} de {total} arquivos enviados, {failed} não',
  'Send all again': 'Enviar todos de novo',
  'Files that are sent': 'Arquivos em envio',
  'and {count} more': { one: 'e mais {count}', other: 'e mais {count}' },
  'The quota of documents has room for {left} more. Delete documents, or ask the operator for more.':
    'A cota de documentos ainda tem espaço para {left}. Exclua documentos ou peça mais ao operador.',
  'Such a file cannot be read. Files may be {formats}.':
    'Um arquivo desse tipo não pode ser lido. Os arquivos podem ser {formats}.',
  'The file has {size}, and one may have {most}. Split it, or ask the operator for a higher limit.':
    'O arquivo tem {size}, e o limite é {most}. Divida-o ou peça ao operador um limite maior.',
  'The connection broke, and nothing of the file was stored. Check the connection and send it again.':
    'A conexão caiu, e nada do arquivo foi guardado. Verifique a conexão e envie-o de novo.',
  'Send again': 'Enviar de novo',
  'Send again: {name}': 'Enviar de novo: {name}',
  'Remove {name} from the list': 'Remover {name} da lista',
  'Not sent': 'Não enviado',
  '{name} is sent': '{name} está sendo enviado',
  '{size}: the server is busy; it is sent again in a moment':
    '{size}: o servidor está ocupado; o envio se repete em instantes',
  '{size}: waits': '{size}: aguarda',
  '{sent} of {size} sent': '{sent} de {size} enviados',
  '{size} sent: the server takes it': '{size} enviados: o servidor está recebendo',
  'Cancel {name}': 'Cancelar {name}',
  'Being ingested': 'Em ingestão',
  '{count} files are read or wait. You may leave the page.': {
    one: '{count} arquivo está sendo lido ou aguarda. Você pode sair da página.',
    other: '{count} arquivos estão sendo lidos ou aguardam. Você pode sair da página.',
  },
  'Files that are ingested': 'Arquivos em ingestão',
  '{name} is ingested': '{name} está em ingestão',
  '{name} was cancelled': '{name} foi cancelado',
  'Waits for its turn': 'Aguarda a vez',
  'Can be found': 'Pode ser encontrado',
  'The file is read': 'O arquivo está sendo lido',
  'Embedded and indexed: {processed} of about {total} chunks, {share}':
    'Embeddings e índice: {processed} de cerca de {total} trechos, {share}',
  'Indexed: {processed} of about {total} chunks, {share}': 'Índice: {processed} de cerca de {total} trechos, {share}',
  'It was cancelled. Upload it again to have it in the store.': 'Foi cancelado. Envie-o de novo para tê-lo na base.',
  documents: 'documentos',
  'Search documents by name': 'Buscar documentos por nome',
  'In the store': 'Na base',
  'Failed ({count})': 'Falharam ({count})',
  '{count} files failed: see why': {
    one: '{count} arquivo falhou: veja por quê',
    other: '{count} arquivos falharam: veja por quê',
  },
  Cancelled: 'Cancelado',
  'Failed files, the newest first': 'Arquivos que falharam, os mais novos primeiro',
  'No file has failed in the last 90 days': 'Nenhum arquivo falhou nos últimos 90 dias',
  'Show the documents': 'Mostrar os documentos',
  'ended {time}': 'terminou em {time}',
  'Pages of failed files': 'Páginas de arquivos que falharam',
  'Documents, the newest first': 'Documentos, os mais novos primeiro',
  'No document matches': 'Nenhum documento corresponde',
  'No document yet': 'Nenhum documento ainda',
  'Search for another part of the name.': 'Busque outra parte do nome.',
  'Add files above: they can be found once they are ingested.':
    'Adicione arquivos acima: eles podem ser encontrados depois da ingestão.',
  'Pages of documents': 'Páginas de documentos',
  'Choose {name}': 'Escolher {name}',
  'Choose none': 'Não escolher nenhum',
  'Replace {name}': 'Substituir {name}',
  'The new version of {name}': 'A nova versão de {name}',
  '{name} stays until the new version can be found': '{name} fica até a nova versão poder ser encontrada',
  'added {time}': 'adicionado em {time}',
  'Delete {count} documents …': { one: 'Excluir {count} documento …', other: 'Excluir {count} documentos …' },
  'Delete {count} documents?': { one: 'Excluir {count} documento?', other: 'Excluir {count} documentos?' },
  '{count} documents were deleted': {
    one: '{count} documento foi excluído',
    other: '{count} documentos foram excluídos',
  },
  '{count} others': { one: 'mais {count}', other: 'mais {count}' },
  '{names}: searches find nothing of it any more. To have it back, upload the file again.':
    '{names}: as buscas não encontram mais nada disso. Para ter de volta, envie o arquivo de novo.',
  Embedder: 'Modelo de embeddings',
  'None: searches match words, and no text goes to another server.':
    'Nenhum: as buscas comparam palavras, e nenhum texto é enviado a outro servidor.',
  '{embedder}: searches match words and meaning.': '{embedder}: as buscas comparam palavras e sentido.',
  '{embedder}, {dimensions} dimensions: searches match words and meaning.':
    '{embedder}, {dimensions} dimensões: as buscas comparam palavras e sentido.',
  'The server is set up with {configured} now. This store is searched as before, and takes no files until AGENT_RUNTIME_EMBEDDER is {embedder} again. Put new files into another store.':
    'O servidor está configurado agora com {configured}. Esta base é pesquisada como antes e não recebe arquivos até AGENT_RUNTIME_EMBEDDER voltar a ser {embedder}. Coloque arquivos novos em outra base.',
  'What another embedder would change': 'O que outro modelo de embeddings mudaria',
  'The operator sets the embedder of new stores, AGENT_RUNTIME_EMBEDDER. A store keeps the one that it was made with: vectors of two models cannot be compared.':
    'O operador define o modelo de embeddings das bases novas, AGENT_RUNTIME_EMBEDDER. Uma base mantém aquele com que foi criada: vetores de dois modelos não podem ser comparados.',
  'To change this one, make a store after the setting has changed, and upload all of it there: {documents}. The server does not keep the original files.':
    'Para mudar esta, crie uma base depois de alterar a configuração e envie tudo para lá: {documents}. O servidor não guarda os arquivos originais.',
  'All of it is embedded again: {chunks}, at most about {tokens} tokens, which a provider charges at its price for embeddings. Without an embedder it costs nothing.':
    'Os embeddings de tudo são refeitos: {chunks}, no máximo cerca de {tokens} tokens, que um provedor cobra ao preço de embeddings. Sem modelo de embeddings não custa nada.',
  'Meanwhile this store is searched as before, with its own embedder; it takes no files while another one is set. Have agents search the new store, then delete this one.':
    'Enquanto isso, esta base é pesquisada como antes, com o próprio modelo; ela não recebe arquivos enquanto outro estiver configurado. Faça os agentes buscarem na base nova e depois exclua esta.',
  'There is no such vector store': 'Essa base vetorial não existe',
};

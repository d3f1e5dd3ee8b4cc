/** The page at /docs of a gateway whose folder of documents has no built site. */
export const missingSiteTemplate = `<p>This gateway has no built documentation: the folder <code><%= it.folder %></code> is missing below its folder of
documents (<code>DOCS_DIR</code>).</p>
<p>Build it with <code>npx vitepress build docs/site</code> and start the gateway again. <code>npm start</code> and the image of
the gateway do so by themselves.</p>
`;

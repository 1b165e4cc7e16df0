/** What an attack runs: it tells the page around it by a global name. */
const RUN = 'window.hit=(window.hit||0)+1';
const IMG = `<img src=x onerror="${RUN}">`;

/** The forms that every list of such attacks begins with. */
const COMMON = [
  `<script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}><summary>x</summary></details>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `"><script>${RUN}</script>`,
];

/** Shortcodes, whose output is HTML. */
const SHORTCODES = [
  `[caption width="1" caption="${IMG.replaceAll('"', "'")}"]<img src="/a.png">[/caption]`,
  `[caption width="1" id="x' onload=${RUN}"]<img src="/a.png"> b[/caption]`,
  `[caption width="1" align="alignleft onclick=${RUN}"]<img src="/a.png"> b[/caption]`,
  `[caption width="1"]<img src="/a.png" title="[/caption]${IMG.replaceAll('"', "'")}">[/caption]`,
  `[audio src="javascript:${RUN}"]`,
  `[audio src='//x"onerror="${RUN}']`,
  `[audio src='//x&quot; onerror=&quot;${RUN}']`,
  `[video mp4="//x' onerror='${RUN}" width="1&quot; onerror=${RUN}"]`,
  `[embed]javascript:${RUN}[/embed]`,
  `[embed]//x"autofocus/onfocus="${RUN}[/embed]`,
  `[embed src="//x'onfocus='${RUN}"]`,
  `<a href="#" title="[audio src='//x']" tabindex=0>x</a>`,
  `<a title="[embed]//x onfocus=${RUN} autofocus [/embed]" href=#>x</a>`,
  `<a title='[caption width="1" caption="x"]' href='[embed]//a[/embed]'>x</a>`,
  `[[audio src="//x"]${IMG}]`,
  `[embed]//x[/embed${IMG}]`,
  `[caption width="1"]<a title="<img src=x onerror=${RUN}>"><img></a>[/caption]`,
];

/** Blocks, whose delimiters go and whose first element gets a class. */
const BLOCKS = [
  `<!-- wp:heading {"a":"-->${IMG}"} --><h2>x</h2><!-- /wp:heading -->`,
  `<!-- wp:heading --><h2 title='class="' data-a="${RUN}">x</h2>`,
  `<!-- wp:heading --><h2 class=a"onclick=${RUN}>x</h2>`,
  `<!-- wp:heading --><h2 class='a"b' title="'onclick=${RUN}">x</h2>`,
  `<!-- wp:heading --><h2 class=>x</h2><!-- /wp:heading -->${IMG}`,
  `<!-- wp:list --><ul/class/onload=${RUN}><li>x`,
  `<!-- wp:list --><ul title="<!-- wp:a -->" class="x"><img src="<!-- /wp:a --> onerror=${RUN}">`,
  `<!-- wp:html --><p title="<!-- /wp:html -->"><img src="x"><!-- wp:html -->" onerror=${RUN}>`,
  `<im<!-- wp:a -->g src=x onerror=${RUN}>`,
  `<!-- wp:a --><<!-- /wp:a -->img src=x onerror=${RUN}>`,
  `<scr<!-- wp:a /-->ipt>${RUN}</scr<!-- wp:a /-->ipt>`,
  `<!-- wp:paragraph --!>${IMG}<!-- /wp:paragraph -->`,
  `<!--more ${IMG}-->b<!--nextpage ${IMG}-->`,
  `<!-- wp:a {"x":"<!--"} -->${IMG}<!-- /wp:a -->`,
];

/** Paragraphs, typography and excerpts, which change what stands between tags. */
const TEXTS = [
  `<p title="a\n\nb\nonclick=${RUN}">x</p>`,
  `<a href="#"\n\nonclick=${RUN}\n\n>x</a>`,
  `<pre>\n\n${IMG}</pre>\n\n<pre title="</pre>${IMG.replaceAll('"', "'")}">`,
  `<p title="x -- ' &quot; onclick=${RUN} ... 1x2">x</p>`,
  `<p title='--"--' data-a='"onclick=${RUN}'>x</p>`,
  `<!-- wpnl -->${IMG}<!-- wpnl --><wp-preserve-newline />${IMG}`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `&amp;lt;img src=x onerror=${RUN}&amp;gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `&#x3c;script&#x3e;${RUN}&#x3c;/script&#x3e;`,
  `&lt;&lt;b&gt;img src=x onerror=${RUN}&gt;`,
  `<<b>img src=x onerror=${RUN}>`,
  `<<b></b>script>${RUN}<<b></b>/script>`,
  `<b <img src=x onerror=${RUN}>`,
  `<p>${'word '.repeat(54)}<a title="<img src=x onerror=${RUN}>">x</a></p>`,
  `${'word '.repeat(54)}&lt;img src=x onerror=${RUN}&gt;`,
  `${'word '.repeat(54)}<${' '.repeat(3)}img src=x onerror=${RUN}>`,
  `</title>${IMG}`,
  `</h1></article></main></body>${IMG}`,
  `"autofocus onfocus="${RUN}" x="`,
  `'autofocus onfocus='${RUN}' x='`,
  `<br\n/onclick=${RUN}>\n\n<hr onclick=${RUN}/>`,
  `<blockquote>\n\n<p title="\n\n<blockquote>">${IMG}`,
  `<p style="background:url(//x);x:expression(${RUN})" class="x">x</p>`,
  `<p style="--x:</style>${IMG.replaceAll('"', "'")}">x</p>`,
  `<a href="//a&NewLine;b" title="&NewLine;onclick=${RUN}">x</a>`,
  `<a href="java&shy;script:${RUN}">x</a><a href="&zwj;javascript:${RUN}">x</a>`,
  `<a href="https:javascript:${RUN}">x</a><a href="//javascript:${RUN}">x</a>`,
  `<video poster=javascript:${RUN}><track src="javascript:${RUN}"><source src="data:text/html,x">`,
];

/** Attacks on the texts of authors, beside those of `test/platform/oembed/attacks.ts`. */
export const TEXT_ATTACKS: readonly string[] = [...COMMON, ...SHORTCODES, ...BLOCKS, ...TEXTS];

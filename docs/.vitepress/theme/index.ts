/** VitePress's own theme, with the fonts of the reader's system, and the colours of the demo page. */
import DefaultTheme from 'vitepress/theme-without-fonts'
import './site.css'

export default DefaultTheme

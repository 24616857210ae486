// VitePress's own theme with the reader's own fonts.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;

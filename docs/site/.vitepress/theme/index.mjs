import theme from 'vitepress/theme-without-fonts';
import './style.css';
import './media.css';

export default theme;

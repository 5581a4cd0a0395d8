# zsh -f zsh_completions.zsh FOLDER LINE: what zsh shows for LINE and a tab, with the completions of FOLDER.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= RPROMPT= LISTMAX=0 TERM=dumb; stty columns 80 rows 500; fpath=(${(q)1} \$fpath)"
zpty -w shell "autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' verbose no; zstyle ':completion:*' insert-tab false; print RE\ADY"
zpty -r -m shell shown '*READY*'
# The marks are split in what is typed, so that the terminal's echo is not taken for the answer.
zpty -w -n shell "$2"$'\t'
zpty -w -n shell $'\C-u'"print EN\\D"$'\n'
zpty -r -m shell shown '*END*'
print -r -- $shown
zpty -d shell

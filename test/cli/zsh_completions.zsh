# zsh -f zsh_completions.zsh FOLDER LINE: what zsh shows for LINE and a tab, with the completions of FOLDER.
zmodload zsh/zpty zsh/zselect
zpty shell zsh -f -i
zpty -w shell "PROMPT= RPROMPT= LISTMAX=0 TERM=dumb; stty columns 80 rows 500; fpath=(${(q)1} \$fpath)"
# The line editor reports that it reads the terminal: a tab before that is a character as others. The mark is split in what
# is typed, so that the terminal's echo is not taken for it.
zpty -w shell "autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' verbose no; zle-line-init() { print -n RE\\ADY }; zle -N zle-line-init"
zpty -r -m shell shown '*READY*'
zpty -w -n shell "$2"$'\t'
# Other input would end the list that the tab shows, so that this waits until half a second is silent after its first line;
# ten seconds for none.
shown='' silent=0
for ((tenths = 0; tenths < 100 && silent < 5; ++tenths)); do
  zselect -t 10
  if zpty -r -t shell piece; then
    shown+=$piece silent=0
  elif [[ $shown == *$'\n'* ]]; then
    ((++silent))
  fi
done
print -r -- $shown
zpty -d shell
